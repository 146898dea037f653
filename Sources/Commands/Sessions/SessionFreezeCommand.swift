import Arguments
import Core
import Services

/// Stops the processes of sessions: `vt sessions freeze SESSION...`.
package enum SessionFreezeCommand: SuspendingCommand {
    package static let spec = CommandSpec(
        ["sessions", "freeze"],
        summary: "stop all processes of sessions until they are resumed",
        description: [
            "Stops the program and all other processes started in a session; 'vt sessions resume' continues exactly "
                + "these. The log, the screen and attached clients are not affected. Input from clients is kept until "
                + "the session is resumed; 'vt sessions send' and 'vt sessions exec' fail (busy) unless they may "
                + "wait.",
            SessionOperand.explanation,
            "# How processes are stopped",
            "If the session has a control group of its own in which vt may create another one, such as a scope of "
                + "systemd, the kernel freezes that group (cgroups(7)). Otherwise, the processes are sent STOP until "
                + "none of them is running, and CONT later, which programs can observe. Time continues to pass: "
                + "timeouts can expire, and network connections can be closed by the other side.",
            "Processes that cannot be stopped, such as those of other users, are listed, and the exit status is 1. A "
                + "frozen session can be killed. If its holder is killed, the session is lost, and 'vt sessions kill' "
                + "ends its processes.",
        ],
        operands: [SessionOperand.sessions],
        options: ConnectionOptions.options,
        examples: [
            ExampleSpec("vt sessions freeze build", "stop a build, so that it uses no CPU time"),
            ExampleSpec(
                "vt sessions freeze web:worker && vt sessions resume web:worker",
                "stop and continue a program on a server"
            ),
        ],
        exitCodes: VTError.Code.ofHolders
    )

    package static func suspension(_ call: Call) -> Suspension {
        .freeze
    }
}
