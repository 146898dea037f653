import Arguments
import Core
import Services

/// Renames a session: `vt sessions rename SESSION NAME`.
package enum SessionRenameCommand: Command {
    private static let name = Operand("NAME", parse: SessionName.init)

    package static let spec = CommandSpec(
        ["sessions", "rename"],
        summary: "rename a session",
        description: [SessionOperand.explanation, "The ID and the machine of the session do not change."],
        operands: [SessionOperand.session, name],
        options: ConnectionOptions.options,
        examples: [ExampleSpec("vt sessions rename build build-old", "free the name 'build' for a new session")],
        exitCodes: VTError.Code.ofConnections + [.exists, .busy]
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (reference, name) = (call[SessionOperand.session], call[Self.name])
        try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(RenameRequest(to: name), on: reference.session)
        }
        if context.global.json {
            try context.output.json(Document(name: name.text))
        }
        return 0
    }

    struct Document {
        let name: String
    }
}

extension SessionRenameCommand.Document: JSONDocument {
    static let documentName = "new name"
    static let documentSummary = "the new name of a session"

    static let fields: JSONTable<Self> = [
        .field("name", \.name, "new name of the session")
    ]
}
