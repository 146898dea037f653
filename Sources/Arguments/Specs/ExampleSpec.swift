/// An example command line.
package struct ExampleSpec: Hashable, Sendable, Encodable {
    /// As typed in a shell, starting with `vt`; may be a pipeline.
    package var command: String
    /// What it does: a lower-case phrase without a full stop.
    package var summary: String

    package init(_ command: String, _ summary: String) {
        self.command = command
        self.summary = summary
    }
}
