/// A hyperlink (OSC 8).
package struct Link: Hashable, TableValue {
    /// The `id` parameter: cells with the same value belong to one link, even if they are not adjacent; may be empty.
    package var id: String
    package var target: String

    package init(id: String = "", target: String) {
        self.id = id
        self.target = target
    }

    static let zero = Link(target: "")
    /// The maximum length of a stored target in bytes, as in VTE and iTerm2.
    static let targetLimit = 2083
    /// The maximum length of a stored `id` in bytes, as in VTE.
    static let idLimit = 250

    var words: (UInt64, UInt64) { (UInt64(truncatingIfNeeded: hashValue), 0) }
}
