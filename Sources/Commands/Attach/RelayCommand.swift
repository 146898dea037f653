import Arguments
import Core
import Services

/// Performs calls to this machine's sessions for a client on another machine: `vt relay`.
package enum RelayCommand: Command {
    package static let spec = CommandSpec(
        ["relay"],
        summary: "perform calls from vt on another machine",
        description: [
            "Reads calls from standard input, performs them, and writes the results to standard output, until the input "
                + "ends. vt on another machine runs this command over SSH. docs/protocol.md describes the protocol."
        ],
        examples: [ExampleSpec("vt relay", "perform the calls on standard input")],
        exitCodes: [.protocolViolation, .io],
        isHidden: true
    )

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let service = try RelayService(context.world)
        try await service.run(input: context.console.input.source(), output: context.queues.output())
        return 0
    }
}
