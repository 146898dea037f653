import Arguments
import Core
import Services

/// Runs a command on one or many targets: `vt exec`.
package enum ExecCommand: Command {
    package static let spec = CommandSpec(
        ["exec"],
        summary: "run a command on one or more servers",
        description: [
            "Runs COMMAND on TARGET: any server as [USER@]HOST[:PORT] or ssh://[USER@]HOST[:PORT], a profile, or "
                + "'local' for this machine. A word without '@' is the name of a profile or, if there is none, a host, "
                + "provided that it contains a dot or a port or is 'localhost', and that no profile has a similar name. "
                + "USER@PROFILE is a profile with a different user. Separate several "
                + "targets with commas, or select profiles with --tag or --all and omit TARGET. Duplicate targets "
                + "are ignored.",
            TargetOptions.explanation,
            "Without a preceding '--', the words of COMMAND are joined with spaces and interpreted by the login "
                + "shell on the server, as with ssh(1). After '--', the program receives exactly these words, "
                + "whatever characters they contain.",
            "Standard input, output and error are passed through byte for byte. With one target, the exit status is "
                + "the program's, 128+n if signal n terminated it, 124 if a timeout expired, and 255 if vt "
                + "failed for any other reason, or if the server reports neither an exit status nor a signal; standard "
                + "error then shows the error class.",
            "On every target, including this machine, the exit status is 127 if the program is not found, and 126 if "
                + "it cannot be executed or the --cwd directory cannot be entered.",
            "With several targets, each line of output is prefixed with the name of its target, and standard input "
                + "is sent to all of them. The exit status is 0 if every program exited with 0, and 1 otherwise; "
                + "failures are listed on standard error, those that say the same on one line.",
            "Input for several targets is stored in TMPDIR until all of them have read it. If the slowest target is "
                + "1 GiB behind, the others wait for it. Input of more than 1 GiB is an error if there are more "
                + "targets than --parallel allows at once.",
            "A command is never run twice: vt retries only the connection, and never after the command may have "
                + "started.",
            "With --timeout, --fail-fast or --max-failures, vt ends the command's processes on a server when it stops "
                + "the command or is interrupted: they are sent TERM, and KILL if they are still running two seconds "
                + "later. For this, the command line that OpenSSH and Dropbear receive begins with a short sh(1) "
                + "command, and vt runs a second command there. The line is not changed if the user's key is for one "
                + "command only, or if it has no special characters of a shell and the server is known to deliver "
                + "signals. In these cases, and on other servers, vt sends signals to the command, with libssh2 1.11 or "
                + "later. A command whose end has not been seen 'may still be running', for example because a server "
                + "ignores signals, or because the processes belong to another user.",
            "Without these options, only the streams of the command are closed, and with libssh2 1.11 or later it is "
                + "sent TERM.",
        ],
        operands: [
            ExecOptions.target,
            OperandSpec(
                "COMMAND",
                .commandWords,
                completion: .command,
                omittedWith: [FleetOptions.script, FleetOptions.merge],
                missingHint: "to open a shell on a server, use 'vt ssh [USER@]HOST' or 'vt ssh PROFILE'"
            ),
        ],
        options: ExecOptions.options,
        examples: [
            ExampleSpec("vt exec deploy@web.example uptime", "run a command on any server"),
            ExampleSpec("vt exec web 'cd /srv && make'", "pass a line to the login shell of a server"),
            ExampleSpec("vt exec web -- ls 'a b'", "run a program with exact arguments"),
            ExampleSpec("vt exec web,db --gather uptime", "run on two servers and print identical output once"),
            ExampleSpec("vt exec --tag prod --json -- systemctl is-active nginx", "run on all servers with a tag"),
            ExampleSpec("vt exec 'web-*' --exclude web-7 uptime", "select servers by a pattern"),
            ExampleSpec("vt exec --targets-file hosts.txt uptime", "select the servers listed in a file"),
            ExampleSpec(
                "vt exec --all --retry-failed failed.txt --script upgrade.sh -- --now",
                "run a script, and run it again only where it failed"
            ),
            ExampleSpec(
                "vt exec --all --shard 1/4 --json uptime >parts/1.json; vt exec --merge parts",
                "run on the first of four parts of the targets, and join the results"
            ),
            ExampleSpec("vt exec local -- sh -c 'exit 3'", "run on this machine"),
        ],
        files: FileSpec.ofConnections,
        exitCodes: VTError.Code.ofConnections + [.negative],
        passesStatusThrough: true
    )

    package static var documents: [DocumentSpec] {
        [
            .lines(ExecEvent.self),
            .lines(ExecResult.self, when: "with `--gather`"),
            .lines(ShardDocument.self, when: "with `--shard`, before all other documents"),
            .document([ExecResult].self, when: "in the `--output-dir` directory"),
        ]
    }

    package static func connection(_ call: Call) throws(VTError) -> HostSettings {
        try ExecOptions.connection(call)
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try ExecOptions(call)
    }

    package static func signalHandling(of call: Call, on console: Console) throws(VTError) -> SignalHandling {
        // A terminal in raw mode must be restored, whichever signal ends the run.
        try ExecOptions(call).terminal != nil && console.input.isTerminal ? .cancelAll(suspends: true) : .cancel
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let options = try ExecOptions(call)
        if let directory = options.fleet.mergedDirectory { return try await merge(directory, in: context) }
        let jobs = try await options.jobs(in: context)
        let context = context.groupingNotes(of: jobs.map(\.name))
        return .status(try await ExecRun(options: options, jobs: jobs, context: context).perform())
    }

    private static func merge(_ directory: String, in context: Context) async throws(VTError) -> ProcessExit {
        let merge = try ExecMerge(directory)
        try await merge.write(to: context.queues.output())
        let (summary, missing) = (merge.summary, merge.missingParts)
        if missing.isEmpty, summary.results.count == 1, let result = summary.results.first {
            return .status(try result.outcome.status(on: result.name))
        }
        summary.report(on: context.diagnostics)
        for part in missing { context.diagnostics.failure("part \(part)/\(merge.partCount) is missing") }
        return .status(missing.isEmpty ? summary.status : VTError.Code.negative.status)
    }
}
