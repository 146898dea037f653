import Arguments
import Core
import Services

/// Sets the size of a session's terminal: `vt sessions resize SESSION COLSxROWS`.
package enum SessionResizeCommand: Command {
    private static let size = Operand("SIZE", parse: TerminalSize.init(parsing:))

    package static let spec = CommandSpec(
        ["sessions", "resize"],
        summary: "resize a session's terminal",
        description: [SessionOperand.explanation, "The program receives SIGWINCH, as with any terminal."],
        operands: [SessionOperand.session, size],
        options: ConnectionOptions.options,
        examples: [ExampleSpec("vt sessions resize build 132x43", "make the terminal larger")],
        exitCodes: VTError.Code.ofHolders
    )

    package static var documents: [DocumentSpec] {
        [.document(SizeDocument.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (reference, size) = (call[SessionOperand.session], call[Self.size])
        try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(ResizeRequest(to: size), on: reference.session)
        }
        if context.global.json { try context.output.json(SizeDocument(size)) }
        return 0
    }
}
