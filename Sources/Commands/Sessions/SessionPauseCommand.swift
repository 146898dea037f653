import Arguments
import Core
import Services

/// Ends the shells of sessions for some time: `vt sessions pause SESSION...`.
package enum SessionPauseCommand: SuspendingCommand {
    private static let force = Option.flag(
        "force",
        summary: "also end a command that is running",
        details:
            "The command gets ^C, then HUP and TERM, and then KILL. If the shell still does not show its prompt, the "
            + "environment with which it was started is kept, instead of its current one."
    )

    package static let spec = CommandSpec(
        ["sessions", "pause"],
        summary: "end the shells of sessions until they are resumed",
        description: [
            "Ends the shell of a session, which must be at its prompt, and all other processes started in the "
                + "session. 'vt sessions resume' starts the shell again, with the same ID, log and size, in the same "
                + "directory and with the same exported variables.",
            SessionOperand.explanation,
            "# What is kept",
            "The directory and the exported variables are as before even if the shell's own files set others; jobs, "
                + "functions, aliases and variables that are not exported are gone. Clients can attach, and remain "
                + "attached. The variables are stored in the directory of the session, in a file that only you can "
                + "read. A paused session uses no CPU time, needs no processes, and can be resumed even after the "
                + "machine has been restarted.",
            "# Shells",
            "The program of the session must be bash 4.4 or later, zsh or fish, started with the hook of vt (see 'vt "
                + "help sessions exec'). To stop other programs, use 'vt sessions freeze'.",
        ],
        operands: [SessionOperand.sessions],
        options: [force] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt sessions pause dev", "end a shell that is at its prompt"),
            ExampleSpec("vt sessions pause web:dev --force", "also end the command that it is running"),
        ],
        exitCodes: VTError.Code.ofHolders
    )

    package static func suspension(_ call: Call) -> Suspension {
        call[force] ? .forcedPause : .pause
    }
}
