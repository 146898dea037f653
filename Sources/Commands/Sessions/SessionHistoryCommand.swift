import Arguments
import Core
import Services

/// Lists the commands that the shell of a session has run: `vt sessions history SESSION`.
package enum SessionHistoryCommand: Command {
    private static let failed = Option.flag("failed", summary: "list only turns that ended with a status other than 0")
    private static let since = Option(
        "since",
        .pastTime,
        summary: "list only turns that started since this time: 2026-11-21T09:30:00Z, or 5m for five minutes ago"
    )
    private static let match = Option(
        "match",
        .text("TEXT"),
        summary: "list only turns whose command line contains TEXT"
    )
    private static let limit = Option(
        "limit",
        .number(in: 0...1_000_000),
        default: "50",
        summary: "list at most the last N turns; 0 for all"
    )
    private static let after = Option(
        "after",
        .number("TURN", in: 0...Int.max),
        summary: "list only turns after this one"
    )

    package static let spec = CommandSpec(
        ["sessions", "history"],
        summary: "list the commands that the shell of a session has run",
        description: [
            "Prints the commands that the shell of a session has run, newest last: number, exit status, start, "
                + "duration and command line. With --json, there are also the working directory, the origin, and the "
                + "offsets of the output.",
            SessionOperand.explanation,
            "# Turns",
            "Each command of a shell for which vt has a hook (see 'vt help sessions exec') is a turn, whether 'vt "
                + "sessions exec' has passed it to the shell or it was typed. A shell started within the session, "
                + "such as bash in zsh, is a turn of its own, and its commands are turns if it has the hook. Commands "
                + "typed in dash and busybox ash are not reported. bash does not report what was typed; its command "
                + "lines are what the terminal showed.",
            "--turn of 'vt sessions logs', 'vt sessions screen', 'vt record' and 'vt cast cut' selects a turn. The "
                + "output of a turn is everything that was printed between the start and the end of the command, byte "
                + "for byte, including the output of background jobs and the echo of what was typed meanwhile. Turns "
                + "are listed even if their output has been discarded, which 'first_offset' shows.",
        ],
        operands: [SessionOperand.session],
        options: [failed, since, match, limit, after] + ListOptions<Turn>.options + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt sessions history dev", "list the last 50 commands"),
            ExampleSpec(
                "vt sessions history dev --failed --since 1h",
                "list the commands that failed in the last hour"
            ),
            ExampleSpec(
                "vt sessions history dev --match make --limit 1 --ids",
                "print the number of the last turn with make"
            ),
            ExampleSpec("vt sessions history web:dev --json --after 41", "get the turns after turn 41 as JSON"),
        ],
        exitCodes: VTError.Code.ofConnections + [.negative]
    )

    package static var documents: [DocumentSpec] {
        [.document([Turn].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let turns = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(filter(call), on: reference.session)
        }
        try ListOptions<Turn>(call).show(turns, in: context, name: { String($0.number) }, table: TextTable.init)
        return 0
    }

    private static func filter(_ call: Call) -> TurnFilter {
        var filter = TurnFilter()
        filter.hasFailed = call[failed]
        filter.text = call[match]
        filter.after = call[after].map { UInt64($0) }
        let limit = call[Self.limit] ?? 50
        filter.limit = limit == 0 ? nil : limit
        switch call[since] {
        case .time(let time): filter.since = time
        case .last(let age): filter.age = age
        case .offset, .lastLines, nil: break
        }
        return filter
    }
}

extension TextTable {
    /// A table of turns.
    init(of turns: [Turn]) {
        self.init(["TURN", "STATUS", "STARTED", "TIME", "COMMAND"])
        for turn in turns {
            add([
                String(turn.number), turn.status.map { String($0) } ?? turn.state.rawValue, turn.startedAt.rawValue,
                turn.duration.map(Self.text) ?? "-", turn.command ?? "-",
            ])
        }
    }

    /// The time in seconds, with one decimal place, or in minutes and seconds.
    private static func text(_ duration: Duration) -> String {
        let tenths = duration.wholeMilliseconds / 100
        return tenths < 600 ? "\(tenths / 10).\(tenths % 10)s" : "\(tenths / 600)m\(tenths / 10 % 60)s"
    }
}
