import Core
import Services

/// One line of `vt exec --json`.
struct ExecEvent: Encodable {
    /// The kind of event.
    enum Kind: String, Encodable {
        case stdout, stderr, exit, error, skipped
    }

    private let event: Kind
    private let target: String
    /// Output that is valid UTF-8.
    private var text: String?
    /// Other output.
    private var base64: String?
    private var exit: ExitDocument?
    private var error: FailureDocument?

    /// A piece of output.
    init(_ kind: Kind, target: String, bytes: [UInt8]) {
        event = kind
        self.target = target
        text = String(validating: bytes, as: UTF8.self)
        if text == nil { base64 = Base64.encode(bytes) }
    }

    /// The outcome of a target, always its last event.
    init(_ outcome: ExecOutcome, target: String) {
        self.target = target
        switch outcome {
        case .ended(let status):
            event = .exit
            exit = ExitDocument(status)
        case .failed(let failure):
            event = .error
            error = FailureDocument(failure, exit: failure.code.passThroughStatus)
        case .skipped:
            event = .skipped
        }
    }
}
