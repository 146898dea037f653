import Arguments
import Core
import Recording
import Services
import Terminal

/// Prints the output of a session: `vt sessions logs SESSION`.
package enum SessionLogsCommand: Command {
    private static let follow = Option.flag(
        "follow",
        short: "f",
        summary: "continue with new output until the session ends"
    )
    private static let from = Option(
        "from",
        .offset,
        default: "0",
        excludes: [tail, since],
        summary: "start at this offset"
    )
    private static let to = Option(
        "to",
        .offset,
        summary: "end before this offset; with --follow, as soon as the output reaches it"
    )
    private static let tail = Option(
        "tail",
        .number("LINES", in: 0...1_000_000_000),
        excludes: [since],
        summary: "start LINES lines before the end"
    )
    private static let since = Option(
        "since",
        .pastTime,
        summary: "start at this time: 2026-11-21T09:30:00Z, or 5m for five minutes ago"
    )
    private static let turn = Option(
        "turn",
        .turn,
        excludes: [follow, from, to, tail, since, cursorFile],
        summary: "print the output of this turn; -1 is the last one, see 'vt help offsets'"
    )
    private static let cursorFile = Option(
        "cursor-file",
        .file,
        excludes: [from, to, tail, since, plain, filter],
        summary: "start where the last run with this file stopped, and note the progress in it",
        details:
            "FILE is created if it does not exist, and replaced after each piece of output that standard output has "
            + "accepted. A run that was interrupted therefore repeats at most the output after the last "
            + "note, and misses none. FILE belongs to one session; for another one, it is an error. Output that has been "
            + "discarded in the meantime is reported."
    )
    static let plain = Option.flag(
        "plain",
        summary: "print the lines of text that a terminal of the session's width would show",
        details: "Carriage returns, backspaces, erasing, tabs and wide characters are interpreted, and wrapped rows "
            + "are joined. A line is printed when it is complete; an incomplete last line is printed at the end, "
            + "without a newline. The alternate screen is not printed; see 'vt sessions screen'."
    )
    private enum Format: String, CaseIterable {
        case raw, cast
    }

    private static let format = Option(
        "format",
        .choice("FORMAT", Format.allCases),
        default: "raw",
        excludes: [from, to, tail, since, turn, cursorFile, plain, filter],
        summary: "write raw bytes or an asciicast",
        details: "'vt record' supports more formats, parts of a session, and output files."
    )
    static let filter = Option(
        "filter",
        .choice("RULE", OutputFilter.Rule.allCases),
        excludes: [plain, GlobalOptions.json],
        summary: "remove escape sequences; see 'vt help filter'"
    ).repeatable()
    private static let exitStatus = Option.flag(
        "exit-status",
        summary: "exit with the status of the session's program, or 255 if vt fails"
    )

    package static let spec = CommandSpec(
        ["sessions", "logs"],
        summary: "print the output of a session, byte for byte",
        description: [
            "Prints the output of a session unchanged, including escape sequences, from the beginning or from an "
                + "offset, a time or a line; with --plain, prints the text that a terminal would show. With --follow, "
                + "continues until the session ends.",
            SessionOperand.explanation,
            "# Completeness",
            "A slow reader does not slow the session down, and does not miss any output that is retained. The offsets "
                + "of discarded output are reported on standard error; see 'vt help offsets'. If standard output is a "
                + "terminal, queries are removed, because the terminal's replies would become input to your shell.",
            "# JSON",
            "Each piece of output is an object on one line, with 'offset' and 'text', or 'base64' for output that is "
                + "not UTF-8. The last line contains the state of the session and its exit status.",
        ],
        operands: [SessionOperand.session],
        options: [follow, from, to, tail, since, turn, cursorFile, plain, filter, format, exitStatus]
            + ConnectionOptions.options,
        commonOptions: [follow, tail, plain, turn, since],
        examples: [
            ExampleSpec("vt sessions logs build --plain --tail 20", "print the last lines as text"),
            ExampleSpec("vt sessions logs build --filter strip-bg", "print the output without background colors"),
            ExampleSpec("vt sessions logs web:build -f --exit-status", "follow a build and exit with its status"),
            ExampleSpec("vt sessions logs dev --plain --turn -1", "print the output of the last command of a shell"),
            ExampleSpec(
                "vt sessions logs build -f --cursor-file build.cursor >>build.log",
                "collect the output, and continue after an interruption"
            ),
            ExampleSpec("vt sessions logs build --from 4096 --to 4608", "print a range of bytes"),
        ],
        exitCodes: VTError.Code.ofHolders,
        statuses: [1: "the session is lost: its output ends, and its exit status is unknown"],
        passesStatusThroughWith: [exitStatus]
    )

    package static var documents: [DocumentSpec] {
        [.lines(EventPrinter.Event.self)]
    }

    package static func endsWithReader(_ call: Call) -> Bool { call[follow] }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let follows = call[follow]
        let output = context.queues.output()
        let session = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            if call[format] == .cast {
                var request = RecordRequest()
                request.follows = follows
                try await client.call(request, on: reference.session, sink: output)
                return try await client.session(reference.session)
            }
            let size = call[plain] ? try await client.session(reference.session).size : nil
            let printer = printer(output, call, plainFor: size, in: context)
            let (start, end) = try await range(call, on: client)
            var cursor: LogCursor?
            if let path = call[cursorFile] {
                cursor = try LogCursor(path, of: try await client.session(reference.session))
            }
            let session = try await client.logs(
                of: reference.session,
                from: cursor.map { .offset($0.offset) } ?? start,
                follows: follows,
                receiver: LogReceiver(printer: printer, output: output, end: end ?? .max, cursor: cursor)
            )
            try await printer.finish(session)
            return session
        }
        if follows, session.state == .lost { throw lost(session, on: reference.profile) }
        return call[exitStatus] ? .status(try status(of: session, on: reference.profile)) : 0
    }

    /// Where to start, and the offset at which to end.
    private static func range(_ call: Call, on client: SessionClient) async throws(VTError) -> (LogStart, UInt64?) {
        guard let turn = call[Self.turn] else {
            let lines = call[tail]
            let start: LogStart = lines.map { .lastLines($0) } ?? call[since] ?? .offset(call[from] ?? 0)
            return (start, call[to])
        }
        let range = try await client.turn(turn, of: call[SessionOperand.session].session)
        return (.offset(range.start), range.end)
    }

    /// Returns the printer that the options select; `size` is that of the session for `--plain`, and otherwise nil.
    static func printer(
        _ output: any ByteSink,
        _ call: Call,
        plainFor size: TerminalSize?,
        in context: Context
    ) -> any LogPrinter {
        if context.global.json { return EventPrinter(output, plainFor: size) }
        guard let size else { return OutputPrinter(.raw, rules: call[filter], in: context) }
        return OutputPrinter(.plain, size: size, in: context)
    }

    private static func status(of session: Session, on profile: String?) throws(VTError) -> UInt8 {
        if let exit = session.exit { return exit.shellStatus }
        guard session.state.isLive else { throw lost(session, on: profile) }
        throw VTError(
            .negative,
            "'\(session.name)' has not ended",
            hint: "add --follow to wait for it to end"
        )
    }

    private static func lost(_ session: Session, on profile: String?) -> VTError {
        let name = SessionReference(profile: profile, session: session.name).text
        return VTError(
            .ended,
            session.lostText("its holder is gone, and \(Session.unknownStatus)"),
            hint: "to end what is left of it, use 'vt sessions kill \(name)'"
        )
    }
}
