import Arguments
import Core
import Services

/// The result of `vt sessions wait` as JSON, one line per session.
struct WaitDocument {
    let outcome: WaitOutcome
    let profile: String?
    /// The text that was printed after the input, with `vt sessions send --print`.
    var output: String?
    var gap: LimitedOutput.Gap?
}

extension WaitDocument: JSONDocument {
    static let documentName = "wait result"
    static let documentSummary = "the result of waiting for a session"

    static let fields: JSONTable<Self> = [
        .field("id", \.outcome.session.id.text, "ID of the session"),
        .field("name", \.outcome.session.name, "name of the session"),
        .field("profile", \.profile, "server; absent for this machine"),
        .field("state", \.outcome.session.state, "state of the session"),
        .field("exit", \.outcome.session.exit, "how the program ended, if it has"),
        .field("condition", \.outcome.condition, "condition that was met"),
        .field(
            "offset",
            \.outcome.offset,
            "end of the match or prompt; if there is none, the end of the output",
            in: .bytes
        ),
        .field("expression", \.outcome.expression, "expression that matched, or text of the condition on the screen"),
        .field("match", \.outcome.match, "text that matches the expression"),
        .field("line", \.outcome.line, "line that contains the match or the text; with `--title`, the title"),
        .field(
            "row",
            \.outcome.row,
            "row of the screen in which the line or the text starts, numbered from 0; negative above the screen"
        ),
        .field("column", \.outcome.column, "column in which the text on the screen starts, numbered from 0"),
        .field("width", \.outcome.width, "number of cells of the text"),
        .field("text", \.outcome.text, "text that was found, with `--screen` and `--title`"),
        .field(
            "command_exit",
            \.outcome.commandExit,
            "exit status of the last command, with `--prompt`, if the shell reported it"
        ),
        .field("elapsed_ms", \.outcome.elapsed, "time spent waiting", in: .milliseconds),
        .field("output", \.output, "text that the program printed after the input, with `vt sessions send --print`"),
        .field("gap", \.gap, "output that was omitted because of `--max-output`"),
    ]
}
