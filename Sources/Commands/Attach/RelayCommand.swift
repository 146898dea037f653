import Arguments
import Core
import Services

/// Relays frames between a local session and a remote client: `vt relay SESSION`.
package struct RelayCommand: Command {
    package static let spec = CommandSpec(
        ["relay"],
        summary: "relay frames between a client and a session's holder",
        description: [
            "Relays frames between a client, on standard input and output, and the session's holder. If the holder "
                + "has exited, replays the session from its files. vt on another machine runs this command over SSH."
        ],
        operands: [OperandSpec("SESSION", completion: .none)],
        examples: [ExampleSpec("vt relay build", "connect to the holder of the session 'build'")],
        exitCodes: [.notFound, .io],
        isHidden: true
    )

    package static var documents: [DocumentSpec] {
        []
    }

    private let session: String

    package init(_ arguments: ParsedArguments) throws(VTError) {
        session = try arguments.operand("SESSION")
    }

    package func signalHandling(on console: Console) -> SignalHandling { .cancel }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let service = try context.relayService()
        try await service.run(session, input: context.console.input.source(), output: context.queues.output())
        return 0
    }
}
