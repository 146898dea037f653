/// The documents of a command.
package struct CommandDocuments: Sendable {
    /// `vt profile list`.
    package var command: String
    /// Empty if the command prints no JSON.
    package var documents: [DocumentSpec]

    package init(command: String, documents: [DocumentSpec]) {
        self.command = command
        self.documents = documents
    }
}
