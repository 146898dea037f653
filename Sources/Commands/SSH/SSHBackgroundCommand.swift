import Arguments
import Core

/// The part of `vt ssh -f` that runs in the background: `vt ssh-background`.
package enum SSHBackgroundCommand: Command {
    package static let spec = CommandSpec(
        ["ssh-background"],
        summary: "run the background process of 'vt ssh -f'",
        description: [
            "Runs 'vt ssh' with the same arguments, and reports on standard input, which is a pipe, that the "
                + "connection is established and the forwards are open. 'vt ssh -f' starts this command."
        ],
        operands: [
            OperandSpec("HOST", completion: .target),
            OperandSpec("COMMAND", .optionalCommandWords, completion: .command),
        ],
        examples: [ExampleSpec("vt ssh-background -f -N -L 8080:localhost:80 web", "as started by 'vt ssh -f'")],
        exitCodes: SSHCommand.spec.exitCodes,
        passesStatusThrough: true,
        hasOwnSyntax: true,
        isHidden: true
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try SSHInvocation(call.commandWords, isInBackground: true)
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling {
        SSHCommand.signalHandling(of: call, on: console)
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        try await SSHInvocation(call.commandWords, isInBackground: true).run(in: context)
    }
}
