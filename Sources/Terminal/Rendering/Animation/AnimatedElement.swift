/// A part of an animated row.
struct AnimatedElement: Hashable {
    /// The painting order; later layers cover earlier ones.
    enum Layer: Int, Hashable {
        case background, shape, text, line
    }

    let layer: Layer
    /// The target of a link, escaped.
    var target: String?
    /// The element's name and attributes, such as `text x="10"`.
    let start: String
    /// The index of the element's look; nil for the default look.
    let look: Int?
    /// The element's content, escaped; nil if it is empty.
    let content: String?

    var byteCount: Int { (target?.utf8.count ?? 0) + start.utf8.count + (content?.utf8.count ?? 0) + 32 }

    /// Formats the element; `classes` are added to the class of its look, if any.
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
