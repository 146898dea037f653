/// A hyperlink (OSC 8).
package struct Link: Hashable, Sendable {
    /// The `id` parameter: cells with the same value belong to one link, even if they are not adjacent; may be empty.
    package var id: String
    package var target: String

    package init(id: String = "", target: String) {
        self.id = id
        self.target = target
    }
}
