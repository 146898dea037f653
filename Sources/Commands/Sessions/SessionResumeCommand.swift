import Arguments
import Core
import Services

/// Continues frozen and paused sessions: `vt sessions resume SESSION...`.
package enum SessionResumeCommand: SuspendingCommand {
    package static let spec = CommandSpec(
        ["sessions", "resume"],
        summary: "continue frozen and paused sessions",
        description: [
            "Continues the processes of a frozen session. For a paused session, starts its shell in the directory and with "
                + "the exported variables that it had; the command returns once the shell is at its prompt, or after ten "
                + "seconds. The timeline gets the markers 'paused' and 'resumed'.",
            SessionOperand.explanation,
            "It is not an error if a session is running; if 'vt sessions kill --signal STOP' has stopped its program, that "
                + "continues. If a paused shell cannot be started, for example because its "
                + "directory is gone, the session remains paused.",
        ],
        operands: [SessionOperand.sessions],
        options: ConnectionOptions.options,
        examples: [ExampleSpec("vt sessions resume build web:dev", "continue two sessions")],
        exitCodes: VTError.Code.ofHolders
    )

    package static func suspension(_ call: Call) -> Suspension {
        .resume
    }
}
