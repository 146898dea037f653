import Arguments
import Core
import POSIX
import Recording
import Services

/// Prints what a session has written: `vt sessions logs SESSION`.
package struct SessionLogsCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "logs"],
        summary: "print what a session has written, byte for byte",
        description: [
            SessionOperand.explanation,
            "Prints the log as it is, escape sequences included: all of it, or from an offset, a time or a number of "
                + "lines on. The same offsets always give the same bytes. Output that the log released is noted on "
                + "standard error. A terminal gets no queries, as its answers would be typed into the shell.",
            "With --follow it goes on until the session ends. However slowly it is read, that costs the session "
                + "nothing and loses nothing that is kept.",
            "With --json each piece of output is a line with 'offset' and 'text', or 'base64' for what is not UTF-8; "
                + "the last line tells the state of the session and how it ended.",
        ],
        operands: [SessionOperand.spec()],
        options: [
            OptionSpec("follow", short: "f", summary: "go on with what comes, until the session ends"),
            OptionSpec(
                "from",
                value: ValueSpec("OFFSET", defaultText: "0"),
                excludes: ["tail", "since"],
                summary: "begin at this offset"
            ),
            OptionSpec(
                "tail",
                value: ValueSpec("LINES"),
                excludes: ["since"],
                summary: "begin so many lines before the end"
            ),
            OptionSpec(
                "since",
                value: ValueSpec("TIME"),
                summary: "begin at this time: 2026-11-21T09:30:00Z, or 5m for five minutes ago"
            ),
            OptionSpec(
                "plain",
                summary: "print the lines of text that a terminal of the session's width would show",
                details: "Carriage returns, backspaces, erasing, tabs and wide characters are applied, and rows that "
                    + "wrapped are joined. A line comes when it ends; one that has not is printed at the end, without a "
                    + "line feed. What a program paints on the alternate screen is not printed: see vt sessions screen."
            ),
            OptionSpec(
                "format",
                value: ValueSpec("FORMAT", choices: ["raw", "cast"], defaultText: "raw"),
                excludes: ["from", "tail", "since", "plain", "frames"],
                summary: "write the bytes, or an asciicast",
                details: "'vt record' writes more formats, parts of a session, and files."
            ),
            OptionSpec(
                "frames",
                excludes: ["plain", "exit-status"],
                summary: "write frames for another vt, and end when standard input does"
            ),
            OptionSpec("exit-status", summary: "end with the status of the session's program, 255 when vt failed"),
        ],
        examples: [
            ExampleSpec("vt sessions logs build --plain --tail 20", "print the last lines as text"),
            ExampleSpec("vt sessions logs web:build -f --exit-status", "follow a build and end as it does"),
            ExampleSpec("vt sessions logs build --from 4096 | head -c 512", "print certain bytes"),
        ],
        exitCodes: SessionOperand.exitCodes,
        passesStatusThroughWith: ["exit-status"]
    )

    private let reference: SessionReference
    private let start: LogStart
    private let follows: Bool
    private let isPlain: Bool
    private let writesFrames: Bool
    private let passesStatus: Bool
    private let isCast: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        let offset = try arguments.value("from") { text throws(VTError) in try SessionOffset.parse(text) }
        let lines = try arguments.value("tail") { text throws(VTError) in
            guard let lines = Int(text), (0...1_000_000_000).contains(lines) else {
                throw VTError(.usage, "'\(text)' is not a number of lines")
            }
            return lines
        }
        let since = try arguments.value("since", parse: Self.time)
        start = lines.map { .lastLines($0) } ?? since ?? .offset(offset ?? 0)
        follows = arguments.flag("follow")
        isPlain = arguments.flag("plain")
        writesFrames = arguments.flag("frames")
        passesStatus = arguments.flag("exit-status")
        isCast = arguments.value("format") == "cast"
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let output = ThreadedOutput(StandardStream.output.rawValue, name: StandardStream.output.name)
        let (reference, start, follows, isPlain, isCast) = (reference, start, follows, isPlain, isCast)
        let session = try await InputEnd.ending(when: writesFrames) { () async throws(VTError) in
            try await SessionOperand.withSite(of: reference, in: context) { site throws(VTError) in
                if isCast {
                    var request = RecordRequest()
                    request.follows = follows
                    try await site.record(reference.session, request, to: output)
                    return try await site.session(reference.session)
                }
                let size = isPlain ? try await site.session(reference.session).size : nil
                let printer = printer(output, plainFor: size, in: context)
                let session = try await site.logs(
                    of: reference.session,
                    from: start,
                    follows: follows,
                    receiver: printer
                )
                try await printer.finish(session)
                return session
            }
        }
        try await output.finish()
        // Whoever asked for frames learns it from the record in them.
        if follows, !writesFrames, session.state == .lost { throw Self.lost(session) }
        return passesStatus ? try Self.status(of: session) : 0
    }

    private func printer(
        _ output: any ByteSink,
        plainFor size: TerminalSize?,
        in context: Context
    ) -> any LogPrinter {
        if writesFrames { return FramePrinter(output) }
        if context.global.json { return EventPrinter(output, plainFor: size) }
        guard let size else {
            return BytePrinter(
                output,
                isTerminal: StandardStream.output.isTerminal,
                diagnostics: context.diagnostics
            )
        }
        return LinePrinter(output, size: size, diagnostics: context.diagnostics)
    }

    private static func status(of session: SessionRecord) throws(VTError) -> UInt8 {
        if let exit = session.exit { return exit.shellStatus }
        guard session.state.isLive else { throw lost(session) }
        throw VTError(
            .negative,
            "'\(session.name)' has not ended",
            hint: "add --follow to wait for its end"
        )
    }

    private static func lost(_ session: SessionRecord) -> VTError {
        VTError(
            .negative,
            "'\(session.name)' was lost: its holder has gone, and how its program ended is unknown",
            hint: "vt sessions kill \(session.name)"
        )
    }

    private static func time(_ text: String) throws(VTError) -> LogStart {
        if let time = Timestamp(rawValue: text) { return .time(time) }
        do throws(VTError) {
            return .last(try Duration(parsing: text))
        } catch {
            throw VTError(
                .usage,
                "'\(text)' is not a time",
                hint: "write a time in UTC or how long ago it was: 2026-11-21T09:30:00Z, 5m"
            )
        }
    }
}
