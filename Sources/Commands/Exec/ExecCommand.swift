import Arguments
import Core
import POSIX
import Services

/// Runs a command on one or many targets: `vt exec`.
package struct ExecCommand: Command {
    package static let spec = CommandSpec(
        ["exec"],
        summary: "run a command on one or many servers",
        description: [
            "Runs COMMAND on TARGET: a profile, 'local' for this machine, or a server that is not saved as "
                + "[USER@]HOST[:PORT] or ssh://[USER@]HOST[:PORT]. USER@PROFILE is the profile with "
                + "another user. Several targets stand with commas between them, or "
                + "are chosen with --tag or --all, in which case there is no TARGET. A target that is named twice counts "
                + "once.",
            "Without '--' before it, the words of COMMAND are joined with spaces and the login shell there reads the "
                + "line, as ssh(1) does. After '--' they are exact: the program gets just these words, whatever they "
                + "hold.",
            "Standard input, output and error are the program's, byte for byte. With one target the exit status is the "
                + "program's, 128+n when signal n ended it, and 255 when vt itself failed; the class of the failure is "
                + "then on standard error. Servers that send neither status nor signal cannot be told from status 0 "
                + "with libssh2 before 1.12.",
            "With several targets each line of output begins with the name of its target, all of them get the whole "
                + "input, and the exit status is 0 if every program ended with 0, else 1; what failed is listed on "
                + "standard error.",
            "A command is never run twice: only connecting is tried again, and never after the command may have begun. "
                + "When time runs out or vt is interrupted, the program's streams are closed, and with libssh2 1.11 or "
                + "later it is sent TERM. A program that ignores both goes on, unless --pty gave it a terminal to lose.",
        ],
        operands: [
            OperandSpec("TARGET", completion: .target, omittedWith: ["tag", "all"]),
            OperandSpec("COMMAND", .commandWords, completion: .command),
        ],
        options: ExecOptions.specs,
        examples: [
            ExampleSpec("vt exec web 'cd /srv && make'", "let the login shell of one server read a line"),
            ExampleSpec("vt exec web -- ls 'a b'", "run a program with exact words"),
            ExampleSpec("vt exec web,db --gather uptime", "run it on two servers and show equal output once"),
            ExampleSpec("vt exec --tag prod --json -- systemctl is-active nginx", "ask all servers with a tag"),
            ExampleSpec("vt exec local -- sh -c 'exit 3'", "run the same here"),
        ],
        exitCodes: [
            .negative, .notFound, .hostUnresolved, .hostUnreachable, .system, .protocolViolation, .authDenied,
            .hostKeyChanged, .hostKeyUnknown, .config, .timedOut,
        ],
        passesStatusThrough: true
    )

    private let options: ExecOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        options = try ExecOptions(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        // A terminal that is set raw is given back on every way out.
        let isRaw = options.terminal != nil && StandardStream.input.isTerminal
        let interrupts = try isRaw ? Interrupts(.all, suspends: true) : Interrupts()
        let jobs = try options.jobs(with: context.services)
        let run = ExecRun(options: options, jobs: jobs, context: context, interrupts: interrupts)
        return try await run.perform()
    }
}
