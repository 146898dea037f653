import Core
import Services

/// How the run ended on one target, with its output or the files that contain it.
struct ExecResult {
    /// How the run ended.
    enum Outcome: String, CaseIterable, JSONValue {
        case exit, error, skipped, ended
        case mayBeRunning = "may-be-running"

        /// What the values mean that their names do not say, for the reference.
        static let explanation =
            "`error`: not started, or failed on this machine; `skipped`: not started, because other targets failed or vt "
            + "was interrupted; "
            + explanationOfInterruption
        static let explanationOfInterruption =
            "`ended`: vt has stopped the program, which is not running any more; `may-be-running`: the program was, or "
            + "might have been, started, and nothing shows that it has ended"
    }

    let target: String
    private let end: ExecEnd
    private var output: ByteString?
    private var errorOutput: ByteString?
    private var outputFile: String?
    private var errorOutputFile: String?

    /// Creates the result of a target whose output is given.
    init(_ end: ExecEnd, target: String, output: [UInt8], errorOutput: [UInt8]) {
        (self.target, self.end) = (target, end)
        (self.output, self.errorOutput) = (ByteString(output), ByteString(errorOutput))
    }

    /// Creates the result of a target whose output is in files.
    init(_ end: ExecEnd, target: String, outputFile: String?, errorOutputFile: String?) {
        (self.target, self.end) = (target, end)
        (self.outputFile, self.errorOutputFile) = (outputFile, errorOutputFile)
    }

    private var error: FailureDocument? { end.outcome.error(on: target) }

    private var outcome: Outcome {
        switch (end.outcome.interrupted, end.outcome) {
        case (.mayBeRunning, _): .mayBeRunning
        case (.ended, _): .ended
        case (_, .ended): .exit
        case (_, .skipped): .skipped
        case (_, .failed), (_, .aborted): .error
        }
    }
}

extension ExecOutcome {
    /// How the program ended, if it did.
    var exit: ExitStatus? {
        guard case .ended(let status) = self else { return nil }
        return status
    }

    /// Why vt failed on the target `name`, or does not know how the program ended.
    func failure(on name: String) -> VTError? {
        switch self {
        case .failed(let error): error
        case .ended(let status): status.error(on: name)
        case .skipped, .aborted: nil
        }
    }

    /// The failure as JSON.
    func error(on name: String) -> FailureDocument? {
        failure(on: name).map { FailureDocument($0, exit: $0.code.passThroughStatus) }
    }

    private var doubt: String {
        interrupted == .mayBeRunning ? ", may still be running" : ""
    }

    /// The outcome in a few words, such as `exit 1` or an error code; nil for exit status 0.
    var label: String? {
        switch self {
        case .ended(.exited(0)): nil
        case .ended(.exited(let code)): "exit \(code)"
        case .ended(.signalled(let signal, _)): "signal \(signal.text)"
        case .ended(.unknown): "no exit status"
        case .failed(let error): error.code.rawValue + doubt
        case .skipped: "not run"
        case .aborted: "aborted" + doubt
        }
    }
}

extension ExecResult: JSONDocument {
    static let documentName = "exec result"
    static let documentSummary = "the complete result of one target"

    static let fields: JSONTable<Self> = [
        .field("target", \.target, "name of the target"),
        .field("outcome", \.outcome, "how the run ended; \(Outcome.explanation)"),
        .field("exit", \.end.outcome.exit, "how the program ended, for `exit`"),
        .field("error", \.error, "why the command failed or could not be run, or why `exit` is unknown"),
        .field("started_at", \.end.timing?.start, ExecTiming.meaningOfStart, in: .time),
        .field("duration_ms", \.end.timing?.duration, ExecTiming.meaningOfDuration, in: .milliseconds),
        .field("stdout", \.output?.text, "standard output, if it is valid UTF-8"),
        .field("stdout_base64", \.output?.jsonBase64, "standard output that is not valid UTF-8, in Base64"),
        .field("stdout_file", \.outputFile, "file with standard output, in the same directory as this document"),
        .field("stderr", \.errorOutput?.text, "standard error, if it is valid UTF-8"),
        .field("stderr_base64", \.errorOutput?.jsonBase64, "standard error that is not valid UTF-8, in Base64"),
        .field("stderr_file", \.errorOutputFile, "file with standard error, in the same directory as this document"),
    ]
}
