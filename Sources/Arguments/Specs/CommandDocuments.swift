/// The JSON documents that a command prints.
package struct CommandDocuments: Sendable {
    /// The command as typed: `vt profile list`.
    package var command: String
    /// Empty if the command prints no JSON.
    package var documents: [DocumentSpec]

    package init(command: String, documents: [DocumentSpec]) {
        self.command = command
        self.documents = documents
    }
}
