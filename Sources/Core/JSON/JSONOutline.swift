/// A JSON value with its position in the document.
package struct JSONOutline: Sendable {
    package enum Content: Sendable {
        case object([Member])
        case array([JSONOutline])
        case string, number, bool, null
    }

    package struct Member: Sendable {
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

    package var isNull: Bool {
        if case .null = content { true } else { false }
    }
}
