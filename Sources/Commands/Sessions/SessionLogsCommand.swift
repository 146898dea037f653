import Arguments
import Core
import Recording
import Services
import Terminal

/// Prints the output of a session: `vt sessions logs SESSION`.
package struct SessionLogsCommand: Command {
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
        ValueKind("TIME", parse: time),
        summary: "start at this time: 2026-11-21T09:30:00Z, or 5m for five minutes ago"
    )
    private static let plain = Option.flag(
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
        excludes: [from, to, tail, since, plain, filter],
        summary: "write raw bytes or an asciicast",
        details: "'vt record' supports more formats, parts of a session, and output files."
    )
    private static let filter = Option(
        "filter",
        .choice("RULE", OutputFilter.Rule.allCases),
        excludes: [plain, GlobalOptions.json],
        summary: "remove escape sequences; can be given more than once",
        details: FilterCommand.explanation
    ).repeatable()
    private static let exitStatus = Option.flag(
        "exit-status",
        summary: "exit with the status of the session's program, or 255 if vt fails"
    )

    package static let spec = CommandSpec(
        ["sessions", "logs"],
        summary: "print the output of a session, byte for byte",
        description: [
            SessionOperand.explanation,
            "Prints the log unchanged, including escape sequences, from the beginning or from an offset, a time or a "
                + "number of lines before the end. An offset always refers to the same byte. The offsets "
                + "of discarded output are reported on standard error. If standard output is a terminal, queries are "
                + "removed, because the terminal's replies would become input to your shell.",
            "With --follow, continues until the session ends. A slow reader does not slow the session down, and does "
                + "not miss any output that is retained.",
            "With --json, each piece of output is an object on one line, with 'offset' and 'text', or 'base64' for "
                + "output that is not UTF-8. The last line contains the state of the session and its exit status.",
        ],
        operands: [SessionOperand.spec()],
        options: [follow, from, to, tail, since, plain, filter, format, exitStatus],
        examples: [
            ExampleSpec("vt sessions logs build --plain --tail 20", "print the last lines as text"),
            ExampleSpec("vt sessions logs build --filter strip-bg", "print the output without background colors"),
            ExampleSpec("vt sessions logs web:build -f --exit-status", "follow a build and exit with its status"),
            ExampleSpec("vt sessions logs build --from 4096 --to 4608", "print a range of bytes"),
        ],
        files: FileSpec.ofSessions,
        exitCodes: VTError.Code.ofHolders,
        passesStatusThroughWith: [exitStatus]
    )

    package static var documents: [DocumentSpec] {
        [.lines(EventPrinter.Event.self)]
    }

    private let reference: SessionReference
    private let start: LogStart
    private let end: UInt64?
    private let follows: Bool
    private let isPlain: Bool
    private let rules: [OutputFilter.Rule]
    private let passesStatus: Bool
    private let isCast: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        let offset = try arguments[Self.from]
        let lines = try arguments[Self.tail]
        let since = try arguments[Self.since]
        start = lines.map { .lastLines($0) } ?? since ?? .offset(offset ?? 0)
        end = try arguments[Self.to]
        follows = arguments[Self.follow]
        isPlain = arguments[Self.plain]
        rules = try arguments[Self.filter]
        passesStatus = arguments[Self.exitStatus]
        isCast = try arguments[Self.format] == .cast
    }

    package var endsWithReader: Bool { follows }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let output = context.queues.output()
        let (reference, start, end, follows) = (reference, start, end, follows)
        let (isPlain, isCast) = (isPlain, isCast)
        let session = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            if isCast {
                var request = RecordRequest()
                request.follows = follows
                try await client.record(reference.session, request, to: output)
                return try await client.session(reference.session)
            }
            let size = isPlain ? try await client.session(reference.session).size : nil
            let printer = printer(output, plainFor: size, in: context)
            let receiver: any OutputReceiver = end.map { OutputPrefix(of: printer, end: $0) } ?? printer
            let session = try await client.logs(
                of: reference.session,
                from: start,
                follows: follows,
                receiver: receiver
            )
            try await printer.finish(session)
            return session
        }
        if follows, session.state == .lost { throw lost(session) }
        return passesStatus ? .status(try status(of: session)) : 0
    }

    private func printer(
        _ output: any ByteSink,
        plainFor size: TerminalSize?,
        in context: Context
    ) -> any LogPrinter {
        if context.global.json { return EventPrinter(output, plainFor: size) }
        guard let size else {
            return BytePrinter(
                output,
                rules: rules,
                isTerminal: context.console.output.isTerminal,
                diagnostics: context.diagnostics
            )
        }
        return LinePrinter(output, size: size, diagnostics: context.diagnostics)
    }

    private func status(of session: Session) throws(VTError) -> UInt8 {
        if let exit = session.exit { return exit.shellStatus }
        guard session.state.isLive else { throw lost(session) }
        throw VTError(
            .negative,
            "'\(session.name)' has not ended",
            hint: "add --follow to wait for it to end"
        )
    }

    private func lost(_ session: Session) -> VTError {
        let name = SessionReference(profile: reference.profile, session: session.name).text
        return VTError(
            .negative,
            "'\(session.name)' was lost: its holder is gone, and the exit status of its program is unknown",
            hint: "to end what is left of it, use 'vt sessions kill \(name)'"
        )
    }

    private static func time(_ text: String) throws(VTError) -> LogStart {
        if let time = Timestamp(rawValue: text) { return .time(time) }
        do throws(VTError) {
            return .last(try Duration(parsing: text))
        } catch {
            throw VTError(
                .usage,
                "invalid time '\(text)'",
                hint: "use a time in UTC or an age: 2026-11-21T09:30:00Z, 5m"
            )
        }
    }
}
