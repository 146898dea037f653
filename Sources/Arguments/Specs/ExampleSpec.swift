import Core

/// An example command line.
package struct ExampleSpec: Hashable, Sendable {
    /// The command as typed in a shell; it may be a pipeline.
    package var command: String
    /// What the command line does, as a lower-case phrase without a period.
    package var summary: String

    package init(_ command: String, _ summary: String) {
        self.command = command
        self.summary = summary
    }
}

extension ExampleSpec: JSONDocument {
    package static let documentName = "example"
    package static let documentSummary = "an example command line"

    package static let fields: JSONTable<Self> = [
        .field("command", \.command, "the command line"),
        .field("summary", \.summary, "what it does, in one phrase"),
    ]
}
