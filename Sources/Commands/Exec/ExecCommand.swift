import Arguments
import Core
import Services

/// Runs a command on one or many targets: `vt exec`.
package enum ExecCommand: Command {
    package static let spec = CommandSpec(
        ["exec"],
        summary: "run a command on one or more servers",
        description: [
            "Runs COMMAND on TARGET, and exits with its status. Standard input, output and error are passed through "
                + "byte for byte. With several targets, COMMAND runs on all of them at once, and each line of output "
                + "is prefixed with the name of its target.",
            "TARGET is a profile, [USER@]HOST[:PORT], 'local', a pattern such as 'web-*', a range such as "
                + "'web[1-40]', or @FILE; separate several with commas (see 'vt help targets'). With --tag or --all, "
                + "omit TARGET.",
            "# Command line",
            "Without '--', the words of COMMAND are joined with spaces and interpreted by the login shell on the "
                + "server, as with ssh(1). After '--', the program receives exactly these words.",
            "The exit status is 127 if the program is not found, and 126 if it cannot be executed or the --cwd "
                + "directory cannot be entered, on servers and on this machine.",
            "A command is never run twice: vt retries only the connection, and never after the command may have "
                + "started.",
            "# Several targets",
            "The exit status is 0 if every program exited with 0, and 1 otherwise. Failures are listed on standard "
                + "error, those that say the same on one line.",
            "Standard input is sent to all targets. It is stored in TMPDIR until all of them have read it; if the "
                + "slowest target is 1 GiB behind, the others wait for it. Input of more than 1 GiB is an error if "
                + "not all targets run at once (--parallel, --rolling).",
            "# Stopping a command",
            "With --timeout, --fail-fast or --max-failures, vt ends the command's processes on the server when it "
                + "stops the command or is interrupted: they are sent TERM, and KILL if they are still running two "
                + "seconds later. For this, OpenSSH and Dropbear receive a command line that begins with a short "
                + "sh(1) command, and vt runs a second command there. The line is not changed if the user's key is "
                + "for one command only, or if it has no special characters of a shell and the server is known to "
                + "deliver signals; then, and on other servers, vt sends signals to the command, with libssh2 1.11 or "
                + "later.",
            "A command whose end has not been seen 'may still be running'.",
            "Without these options, the streams of the command are closed, and with libssh2 1.11 or later it is sent "
                + "TERM.",
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
        commonOptions: ExecOptions.common,
        examples: [
            ExampleSpec("vt exec deploy@web.example uptime", "run a command on any server"),
            ExampleSpec("vt exec web 'cd /srv && make'", "pass a line to the login shell of a server"),
            ExampleSpec("vt exec web -- ls 'a b'", "run a program with exact arguments"),
            ExampleSpec("vt exec web,db --gather uptime", "run on two servers and print identical output once"),
            ExampleSpec("vt exec --tag prod --json -- systemctl is-active nginx", "run on all servers with a tag"),
            ExampleSpec("vt exec 'web-*' --exclude web-7 uptime", "select servers by a pattern"),
            ExampleSpec("vt exec --targets-file hosts.txt uptime", "select the servers listed in a file"),
            ExampleSpec(
                "vt exec --tag web --canary 1 --rolling 10 --stop-on-failure --output-dir logs --retry-failed todo -- ./deploy",
                "deploy to one server, then to the others in batches; the same line continues after a failure"
            ),
            ExampleSpec(
                "vt exec --all --retry-failed failed.txt --script upgrade.sh -- --now",
                "run a script, and run it again only where it failed"
            ),
            ExampleSpec(
                "vt exec --all --shard 1/4 --gather --json uptime >parts/1.json",
                "run on the first of four parts of the targets"
            ),
            ExampleSpec("vt exec --merge parts", "join the results of all parts"),
            ExampleSpec("vt exec local -- sh -c 'exit 3'", "run on this machine, and exit with 3"),
        ],
        exitCodes: VTError.Code.ofConnections + [.negative],
        statuses: [
            1: "with several targets, a program failed; with one, its own status"
        ],
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
        if let directory = options.fleet.mergedDirectory {
            return try await merge(directory, showsTimings: options.fleet.showsSummary, in: context)
        }
        let jobs = try await options.jobs(in: context)
        let context = context.groupingNotes(of: jobs.map(\.name))
        return .status(try await ExecRun(options: options, jobs: jobs, context: context).perform())
    }

    private static func merge(
        _ directory: String,
        showsTimings: Bool,
        in context: Context
    ) async throws(VTError) -> ProcessExit {
        let merge = try ExecMerge(directory)
        try await merge.write(to: context.queues.output())
        try await context.queues.drain()
        let (summary, missing) = (merge.summary, merge.missingParts)
        if showsTimings { summary.showTimings(on: context) }
        if missing.isEmpty, summary.results.count == 1, let result = summary.results.first {
            return .status(try result.end.outcome.status(on: result.name))
        }
        for part in missing { context.diagnostics.failure("part \(part)/\(merge.partCount) is missing") }
        summary.report(on: context.diagnostics)
        return .status(missing.isEmpty ? summary.status : VTError.Code.negative.status)
    }
}
