/// A part of a row of an animation.
struct AnimatedElement: Hashable {
    /// What is painted first is covered by what comes after.
    enum Layer: Int, Hashable {
        case background, shape, text, line
    }

    let layer: Layer
    /// Where a link leads to, escaped.
    var target: String?
    /// The name of the element and its attributes, such as `text x="10"`.
    let start: String
    /// The number of its look; nil for the one that all elements have.
    let look: Int?
    /// What is in it, escaped; nil for nothing.
    let content: String?

    var byteCount: Int { (target?.utf8.count ?? 0) + start.utf8.count + (content?.utf8.count ?? 0) + 32 }

    /// Writes the element, with classes beside that of its look.
    func markup(_ looks: [LookNames.Attribute], _ classes: [String]) -> String {
        var classes = classes
        var text = "<" + start
        if let look {
            switch looks[look] {
            case .className(let name): classes.append(name)
            case .attributes(let attributes): text += attributes
            }
        }
        if !classes.isEmpty { text += " class=\"\(classes.joined(separator: " "))\"" }
        if let content { text += ">\(content)</text>" } else { text += "/>" }
        return target.map { "<a href=\"\($0)\">\(text)</a>" } ?? text
    }
}
