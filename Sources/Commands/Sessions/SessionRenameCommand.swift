import Arguments
import Core
import Services

/// Renames a session: `vt sessions rename SESSION NAME`.
package struct SessionRenameCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "rename"],
        summary: "rename a session",
        description: [SessionOperand.explanation, "The ID and the machine of the session do not change."],
        operands: [SessionOperand.spec(), OperandSpec("NAME")],
        options: ConnectionOptions.options,
        examples: [ExampleSpec("vt sessions rename build build-old", "free the name 'build' for a new session")],
        files: FileSpec.ofSessions,
        exitCodes: VTError.Code.ofConnections + [.exists, .busy]
    )

    package static var documents: [DocumentSpec] {
        [.document(Document.self)]
    }

    private let reference: SessionReference
    private let name: SessionName

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        name = try arguments.operand("NAME", parse: SessionName.init)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.rename(reference.session, to: name)
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
