/// A JSON value with the place where it stands.
///
/// Foundation's decoder tells neither the line of an error nor the members that it did not look at; this does.
package struct JSONOutline {
    package enum Content {
        case object([Member])
        case array([JSONOutline])
        case string, number, bool, null
    }

    package struct Member {
        package var name: String
        package var value: JSONOutline
        /// The bytes of name and value in the document.
        package var range: Range<Int>
    }

    package var content: Content
    /// Counted from 1.
    package var line: Int
    /// The bytes of the value in the document.
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

    /// The value that a path of member names and indexes leads to, or the last one on the way.
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

/// Where a document stops being JSON.
package struct JSONSyntaxError: Error, Equatable {
    /// Counted from 1.
    package var line: Int
    /// Such as `a value is expected`.
    package var message: String

    package init(line: Int, message: String) {
        self.line = line
        self.message = message
    }
}
