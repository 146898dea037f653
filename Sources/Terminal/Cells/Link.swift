/// A hyperlink (OSC 8).
package struct Link: Hashable, Sendable {
    /// Cells with the same id belong to one link, even if they are not adjacent; empty if the program set none.
    package var id: String
    package var target: String

    package init(id: String = "", target: String) {
        self.id = id
        self.target = target
    }
}
