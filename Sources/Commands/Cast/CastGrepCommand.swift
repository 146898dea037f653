import Arguments
import Core
import Recording

/// Searches recordings for text: `vt cast grep RE FILE`.
package enum CastGrepCommand: Command {
    private static let expression = Operand("RE")
    private static let files = CastOperand.file.list(.oneOrMore)
    private static let ignoreCase = Option.flag("ignore-case", short: "i", summary: "ignore case")
    private static let count = Option.flag(
        "count",
        short: "c",
        excludes: [filesWithMatches],
        summary: "print only the number of matching lines for each file"
    )
    private static let filesWithMatches = Option.flag(
        "files-with-matches",
        short: "l",
        summary: "print only the names of files with a match"
    )

    package static let spec = CommandSpec(
        ["cast", "grep"],
        summary: "search the text shown in recordings",
        description: [
            "Searches for a POSIX extended regular expression (regex(7)) in the lines that the terminal showed in "
                + "each recording. Colors and cursor movements do not affect matching, and wrapped rows are joined "
                + "into one line. A line matches once each time it appears on the screen, however often it is "
                + "redrawn.",
            CastOperand.explanation,
            "A match is printed as TIME:ROW:LINE, preceded by FILE: if there are several files. TIME is the time in "
                + "seconds of the event that completed the line, usable as a position for 'vt cast screen --at'. ROW "
                + "is numbered from 0; it is '-' if the line was completed and removed by the same event. With --json, "
                + "each match is an object on one line, with 'file', 'time', 'row', 'line' and 'match'.",
            "The exit status is 0 if any line matches, and 1 if none does. With -q, nothing is printed, and the "
                + "search stops at the first match. If a recording cannot be read, the others are still searched.",
        ],
        operands: [expression, files],
        options: [ignoreCase, count, filesWithMatches, CastOperand.lenient],
        examples: [
            ExampleSpec("vt cast grep 'error|failed' *.cast", "find errors in many recordings"),
            ExampleSpec("vt cast grep --json ERROR build.cast | jq .time", "print the times of all matches"),
            ExampleSpec("vt record build -o - | vt cast grep -q 'BUILD SUCCESSFUL' -", "search a session"),
        ],
        exitCodes: CastOperand.exitCodes + [.negative]
    )

    package static var documents: [DocumentSpec] {
        [
            .lines(MatchDocument.self),
            .lines(CountDocument.self, when: "with `--count` or `--files-with-matches`"),
        ]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try LinePattern(call[expression], ignoresCase: call[ignoreCase])
        try CastOperand.checkInput(call[files])
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let pattern = try LinePattern(call[expression], ignoresCase: call[ignoreCase])
        let files = call[Self.files]
        let policy = CastOperand.policy(call)
        var hasMatch = false
        var failure: VTError?
        for file in files {
            var source: RecordingFile?
            do throws(VTError) {
                let opened = try RecordingFile(opening: file, policy: policy, diagnostics: context.diagnostics)
                source = opened
                if try search(opened, file, for: pattern, call, in: context) { hasMatch = true }
                if hasMatch, context.global.quiet { return 0 }
            } catch {
                guard files.count > 1, source == nil || error.code == .dataInvalid else { throw error }
                // The first error is reported at the end.
                if failure != nil { context.diagnostics.failure(error.message) }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return hasMatch ? 0 : .failure(.negative)
    }

    /// Searches a recording and prints the matches; returns whether any line matches.
    private static func search(
        _ source: RecordingFile,
        _ file: String,
        for pattern: LinePattern,
        _ call: Call,
        in context: Context
    ) throws(VTError) -> Bool {
        let stopsAtFirstMatch = context.global.quiet || call[filesWithMatches]
        let printsLines = !call[count]
        let prefix = call[files].count > 1 ? "\(file.sanitized):" : ""
        var matches = 0
        var pending: [UInt8] = []
        do throws(VTError) {
            try RecordingSearch(pattern).search(source) { match throws(VTError) in
                matches += 1
                guard !stopsAtFirstMatch else { return false }
                if printsLines {
                    pending += line(match, file, prefix, in: context)
                    // Matches in standard input are printed immediately; matches in a file are printed in batches.
                    if pending.count > 1 << 16 || file == "-" { try flush(&pending, context) }
                }
                return true
            }
        } catch {
            // Print the matches found before the error.
            try flush(&pending, context)
            throw error
        }
        try flush(&pending, context)
        if !context.global.quiet { try summarize(file, prefix, matches, call, in: context) }
        return matches > 0
    }

    private static func flush(_ bytes: inout [UInt8], _ context: Context) throws(VTError) {
        if !bytes.isEmpty { try context.output.bytes(bytes) }
        bytes = []
    }

    private static func line(
        _ match: RecordingSearch.Match,
        _ file: String,
        _ prefix: String,
        in context: Context
    ) -> [UInt8] {
        if context.global.json {
            let document = MatchDocument(
                file: file,
                time: match.time.seconds,
                row: match.row,
                line: match.line,
                match: match.text
            )
            return document.jsonLine
        }
        let row = match.row.map(String.init) ?? "-"
        return Array("\(prefix)\(match.time.text()):\(row):\(match.line.sanitized)\n".utf8)
    }

    private static func summarize(
        _ file: String,
        _ prefix: String,
        _ matches: Int,
        _ call: Call,
        in context: Context
    ) throws(VTError) {
        guard call[count] || call[filesWithMatches] && matches > 0 else { return }
        if context.global.json {
            try context.output.jsonLine(CountDocument(file: file, matches: call[count] ? matches : nil))
        } else {
            try context.output.text(call[count] ? "\(prefix)\(matches)" : file.sanitized)
        }
    }

    struct MatchDocument {
        let file: String
        let time: Double
        let row: Int?
        let line: String
        let match: String
    }

    struct CountDocument {
        let file: String
        let matches: Int?
    }
}

extension CastGrepCommand.MatchDocument: JSONDocument {
    static let documentName = "match"
    static let documentSummary = "a matching line of a recording"

    static let fields: JSONTable<Self> = [
        .field("file", \.file, "recording as specified"),
        .field("time", \.time, "time of the event that completed the line", in: .seconds),
        .field("row", \.row, "row of the screen, numbered from 0; absent if the same event removed the line"),
        .field("line", \.line, "line as shown"),
        .field("match", \.match, "text of the first match in the line"),
    ]
}

extension CastGrepCommand.CountDocument: JSONDocument {
    static let documentName = "match count"
    static let documentSummary = "a recording that was searched"

    static let fields: JSONTable<Self> = [
        .field("file", \.file, "recording as specified"),
        .field("matches", \.matches, "number of matching lines, with `--count`"),
    ]
}
