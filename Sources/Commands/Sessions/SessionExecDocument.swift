import Core
import Services

/// The result of a line in a session's shell as JSON.
struct SessionExecDocument {
    let outcome: LineOutcome
    /// The output that is valid UTF-8.
    let text: String?
    /// The output that is not, in Base64.
    let base64: String?
    let gap: LimitedOutput.Gap?
    /// The row in which the command waits for input.
    let line: String?

    init(_ outcome: LineOutcome, output: [UInt8], gap: LimitedOutput.Gap?, line: String? = nil) {
        (self.outcome, self.line) = (outcome, line)
        text = String(validating: output, as: UTF8.self)
        base64 = text == nil ? Base64.encode(output) : nil
        self.gap = gap
    }

    /// Nil if the client did not wait for the end.
    private var turn: UInt64? { outcome.turn == 0 ? nil : outcome.turn }

    private var omitted: UInt64? { gap.map { $0.to - $0.from } }
}

extension SessionExecDocument: JSONDocument {
    static let documentName = "executed line"
    static let documentSummary = "the result of a line in a session's shell"

    static let fields: JSONTable<Self> = [
        .field("outcome", \.outcome.kind, "how the line ended"),
        .field(
            "exit",
            \.outcome.exit,
            "how the command ended or, for `session-ended`, the shell; absent if that is unknown"
        ),
        .field("output", \.text, "output, if it is valid UTF-8"),
        .field("output_base64", \.base64, "output that is not valid UTF-8, in Base64"),
        .field("from", \.outcome.start, "offset of the start of the output", in: .bytes),
        .field("to", \.outcome.end, "offset of the end of the output, as far as it has been received", in: .bytes),
        .field("truncated", \.omitted, "size of the output that was omitted because of `--max-output`", in: .bytes),
        .field("gap", \.gap, "output that was omitted because of `--max-output`; counted in the text with `--repl`"),
        .field("line", \.line, "row with the cursor, if the command waits for input, or a prompt is not shown again"),
        .field("duration_ms", \.outcome.elapsed, "how long the command ran", in: .milliseconds),
        .field("cwd", \.outcome.directory, "working directory of the shell when the command ended"),
        .field("turn", \.turn, "number of the command among those that the shell has run"),
    ]
}
