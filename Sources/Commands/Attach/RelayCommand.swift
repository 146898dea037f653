import Arguments
import Core
import Glibc
import POSIX
import Services

/// Relays frames between a local session and a remote client: `vt relay SESSION`.
package struct RelayCommand: Command {
    package static let spec = CommandSpec(
        ["relay"],
        summary: "relay frames between a client and a session's holder",
        description: [
            "Relays frames between a client, on standard input and output, and the session's holder, or replays what "
                + "the holder left if it has exited. vt on another machine runs this over SSH."
        ],
        operands: [OperandSpec("SESSION", completion: .none)],
        examples: [ExampleSpec("vt relay build", "connect to the holder of the session build")],
        exitCodes: [.notFound, .io],
        isHidden: true
    )

    private let session: String

    package init(_ arguments: ParsedArguments) throws(VTError) {
        session = try arguments.operand("SESSION")
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let interrupts = try Interrupts()
        let service = try context.services.relayService()
        let output = ThreadedOutput(StandardStream.output.rawValue, name: StandardStream.output.name)
        let (result, signal) = await interrupts.run { () async throws(VTError) in
            try await service.run(session, input: ThreadedInput(StandardStream.input.rawValue), output: output)
            try await output.finish()
        }
        if let signal { SignalThread.die(of: signal) }
        if output.hasLostReader { SignalThread.die(of: SIGPIPE) }
        try result.get()
        return 0
    }
}
