/// A JSON value with its position in the document.
///
/// Foundation's decoder reports neither the line of an error nor unknown members; an outline makes both available.
package struct JSONOutline {
    package enum Content {
        case object([Member])
        case array([JSONOutline])
        case string, number, bool, null
    }

    package struct Member {
        package var name: String
        package var value: JSONOutline
        /// The range of the name and the value in the document.
        package var range: Range<Int>
    }

    package var content: Content
    /// The line number, starting at 1.
    package var line: Int
    /// The range of the value in the document.
    package var range: Range<Int>

    package init(content: Content, line: Int, range: Range<Int>) {
        self.content = content
        self.line = line
        self.range = range
    }

    /// The members of an object; nil for any other value.
    package var members: [Member]? {
        guard case .object(let members) = content else { return nil }
        return members
    }

    /// The value at a path of member names and indexes or, if it does not exist, its closest existing ancestor.
    package func nearest(to path: some Sequence<any CodingKey>) -> JSONOutline {
        var value = self
        for key in path {
            switch value.content {
            case .object(let members):
                guard let member = members.first(where: { $0.name == key.stringValue }) else { return value }
                value = member.value
            case .array(let elements):
                guard let index = key.intValue, elements.indices.contains(index) else { return value }
                value = elements[index]
            case .string, .number, .bool, .null:
                return value
            }
        }
        return value
    }
}
