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

    /// Formats the element; `classes` belong to the outermost tag, because rules for visibility select children of a row.
    func markup(_ looks: [LookNames.Attribute], _ classes: [String]) -> String {
        var names = target == nil ? classes : []
        var text = "<" + start
        if let look {
            switch looks[look] {
            case .className(let name): names.append(name)
            case .attributes(let attributes): text += attributes
            }
        }
        text += Self.attribute(names)
        if let content { text += ">\(content)</text>" } else { text += "/>" }
        return target.map { "<a href=\"\($0)\"\(Self.attribute(classes))>\(text)</a>" } ?? text
    }

    /// A `class` attribute with a space before it; empty without names.
    static func attribute(_ classes: [String]) -> String {
        classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    }
}
