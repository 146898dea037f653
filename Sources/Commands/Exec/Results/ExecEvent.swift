import Core
import Services

/// One line of the output of `vt exec --json`.
struct ExecEvent {
    /// The kind of event.
    enum Kind: String, CaseIterable, JSONValue {
        case stdout, stderr, exit, error, skipped, aborted
    }

    /// What is known about a program that has not ended by itself.
    enum Interruption: String, CaseIterable, JSONValue {
        case ended
        case mayBeRunning = "may-be-running"
    }

    private let event: Kind
    private let target: String
    private var output: ByteString?
    private var end: ExecEnd?

    /// Creates the event for a piece of output.
    init(_ kind: Kind, target: String, bytes: [UInt8]) {
        event = kind
        self.target = target
        output = ByteString(bytes)
    }

    /// Creates the event for the end of a target, which is always its last event.
    init(_ end: ExecEnd, target: String) {
        self.target = target
        self.end = end
        event =
            switch end.outcome {
            case .ended: .exit
            case .failed: .error
            case .skipped: .skipped
            case .aborted: .aborted
            }
    }

    private var interruption: Interruption? {
        (end?.outcome.interrupted).flatMap { Interruption(rawValue: $0.rawValue) }
    }

    private var error: FailureDocument? { end?.outcome.error(on: target) }
}

extension ExecEvent: JSONDocument {
    static let documentName = "exec event"
    static let documentSummary =
        "an event of a run; the last event of each target is `exit`, `error`, `skipped` or `aborted`"

    static let fields: JSONTable<Self> = [
        .field(
            "event",
            \.event,
            "kind of event; `skipped`: not started, because other targets failed or vt was interrupted; `aborted`: "
                + "stopped for one of these reasons"
        ),
        .field("target", \.target, "target as specified"),
        .field("text", \.output?.text, "output, for `stdout` and `stderr` if it is valid UTF-8"),
        .field("base64", \.output?.jsonBase64, "output that is not valid UTF-8, in Base64"),
        .field(
            "outcome",
            \.interruption,
            "for a program that vt has stopped, or whose end vt has not seen; "
                + ExecResult.Outcome.explanationOfInterruption
        ),
        .field("exit", \.end?.outcome.exit, "how the program ended, for `exit`"),
        .field("error", \.error, "why the command failed or could not be run, or why `exit` is unknown"),
        .field("started_at", \.end?.timing?.start, ExecTiming.meaningOfStart, in: .time),
        .field("duration_ms", \.end?.timing?.duration, ExecTiming.meaningOfDuration, in: .milliseconds),
    ]
}

extension ExecTiming {
    static let meaningOfStart =
        "time at which the command was started, after the login; absent if it was not started"
    static let meaningOfDuration = "how long the command ran, without the login; absent if it was not started"
}
