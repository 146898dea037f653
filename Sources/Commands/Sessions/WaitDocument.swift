import Arguments
import Core
import Services

/// The result of `vt sessions wait` as JSON, one line per session.
struct WaitDocument {
    let id: String
    let name: String
    let profile: String?
    let state: SessionState
    let exit: ExitStatus?
    let condition: WaitCondition.Kind
    let offset: UInt64
    let expression: String?
    let match: String?
    let line: String?
    let row: Int?
    let commandExit: Int?
    let elapsed: Duration
    let output: String?

    init(_ outcome: WaitOutcome, profile: String?, output: String? = nil) {
        id = outcome.session.id.text
        name = outcome.session.name
        self.profile = profile
        state = outcome.session.state
        exit = outcome.session.exit
        condition = outcome.condition
        offset = outcome.offset
        expression = outcome.expression
        match = outcome.match
        line = outcome.line
        row = outcome.row
        commandExit = outcome.commandExit
        elapsed = outcome.elapsed
        self.output = output
    }
}

extension WaitDocument: JSONDocument {
    static let documentName = "wait result"
    static let documentSummary = "the result of waiting for a session"

    static let fields: JSONTable<Self> = [
        .field("id", \.id, "ID of the session"),
        .field("name", \.name, "name of the session"),
        .field("profile", \.profile, "server; absent for this machine"),
        .field("state", \.state, "state of the session"),
        .field("exit", \.exit, "how the program ended, if it has"),
        .field("condition", \.condition, "condition that was met"),
        .field("offset", \.offset, "end of the match or prompt; if there is none, the end of the output", in: .bytes),
        .field("expression", \.expression, "expression that matched, with `--match` and `--fail-match`"),
        .field("match", \.match, "text that matches the expression"),
        .field("line", \.line, "line that contains the match"),
        .field("row", \.row, "row of the screen in which the line starts, numbered from 0"),
        .field(
            "command_exit",
            \.commandExit,
            "exit status of the last command, with `--prompt`, if the shell reported it"
        ),
        .field("elapsed_ms", \.elapsed, "time spent waiting", in: .milliseconds),
        .field("output", \.output, "text that the program printed after the input, with `vt sessions send --print`"),
    ]
}
