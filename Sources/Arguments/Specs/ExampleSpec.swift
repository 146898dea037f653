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

extension ExampleSpec: Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case command, summary
    }
}
