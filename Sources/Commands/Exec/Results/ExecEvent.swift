import Core
import Services

/// One line of the output of `vt exec --json`.
struct ExecEvent {
    /// The kind of event.
    enum Kind: String, CaseIterable, JSONValue {
        case stdout, stderr, exit, error, skipped, aborted
    }

    private let event: Kind
    private let target: String
    /// Output that is valid UTF-8.
    private var text: String?
    /// Output that is not valid UTF-8, in Base64.
    private var base64: String?
    private var exit: ExitStatus?
    private var error: FailureDocument?

    /// Creates the event for a piece of output.
    init(_ kind: Kind, target: String, bytes: [UInt8]) {
        event = kind
        self.target = target
        text = String(validating: bytes, as: UTF8.self)
        if text == nil { base64 = Base64.encode(bytes) }
    }

    /// Creates the event for the outcome of a target, which is always its last event.
    init(_ outcome: ExecOutcome, target: String) {
        self.target = target
        switch outcome {
        case .ended(let status):
            event = .exit
            exit = status
        case .failed(let failure):
            event = .error
            error = FailureDocument(failure, exit: failure.code.passThroughStatus)
        case .skipped:
            event = .skipped
        case .aborted:
            event = .aborted
        }
    }
}

extension ExecEvent: JSONDocument {
    static let documentName = "exec event"
    static let documentSummary =
        "an event of a run; the last event of each target is `exit`, `error`, `skipped` or `aborted`"

    static let fields: JSONTable<Self> = [
        .field("event", \.event, "kind of event; \(ExecResult.Outcome.explanation)"),
        .field("target", \.target, "target as specified"),
        .field("text", \.text, "output, for `stdout` and `stderr` if it is valid UTF-8"),
        .field("base64", \.base64, "output that is not valid UTF-8, in Base64"),
        .field("exit", \.exit, "how the program ended, for `exit`"),
        .field("error", \.error, "why the command failed or could not be run, for `error`"),
    ]
}
