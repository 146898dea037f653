/// Where a hyperlink (OSC 8) leads.
package struct Link: Hashable, Sendable {
    /// Cells with the same one belong together, also where they do not touch; empty where the program gave none.
    package var id: String
    package var target: String

    package init(id: String = "", target: String) {
        self.id = id
        self.target = target
    }
}
