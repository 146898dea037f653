import Core
import Services

/// How the run ended on one target, with its output or the files that contain it.
struct ExecResult {
    /// How the run ended.
    enum Outcome: String, CaseIterable, JSONValue {
        case exit, error, skipped, aborted

        /// What the values mean that their names do not say, for the reference.
        static let explanation =
            "`skipped`: not started, because another target failed; `aborted`: canceled because another target failed, "
            + "after the command might have been started"
    }

    /// The output of a stream: valid UTF-8 as text, other bytes in Base64.
    private struct Stream {
        var text: String?
        var base64: String?

        init(_ bytes: [UInt8]) {
            text = String(validating: bytes, as: UTF8.self)
            if text == nil { base64 = Base64.encode(bytes) }
        }
    }

    let target: String
    private let outcome: Outcome
    private var exit: ExitStatus?
    private var error: FailureDocument?
    private var stdout: String?
    private var stdoutBase64: String?
    private var stdoutFile: String?
    private var stderr: String?
    private var stderrBase64: String?
    private var stderrFile: String?

    /// Creates the result of a target whose output is given.
    init(_ outcome: ExecOutcome, target: String, output: [UInt8], errorOutput: [UInt8]) {
        self.init(outcome, target: target)
        let (output, errorOutput) = (Stream(output), Stream(errorOutput))
        (stdout, stdoutBase64) = (output.text, output.base64)
        (stderr, stderrBase64) = (errorOutput.text, errorOutput.base64)
    }

    /// Creates the result of a target whose output is in files.
    init(_ outcome: ExecOutcome, target: String, outputFile: String, errorOutputFile: String) {
        self.init(outcome, target: target)
        (stdoutFile, stderrFile) = (outputFile, errorOutputFile)
    }

    private init(_ outcome: ExecOutcome, target: String) {
        self.target = target
        switch outcome {
        case .ended(let status):
            self.outcome = .exit
            exit = status
        case .failed(let failure):
            self.outcome = .error
            error = FailureDocument(failure, exit: failure.code.passThroughStatus)
        case .skipped:
            self.outcome = .skipped
        case .aborted:
            self.outcome = .aborted
        }
    }
}

extension ExecResult: JSONDocument {
    static let documentName = "exec result"
    static let documentSummary = "the complete result of one target"

    static let fields: JSONTable<Self> = [
        .field("target", \.target, "name of the target"),
        .field("outcome", \.outcome, "how the run ended; \(Outcome.explanation)"),
        .field("exit", \.exit, "how the program ended, for `exit`"),
        .field("error", \.error, "why the command failed or could not be run, for `error`"),
        .field("stdout", \.stdout, "standard output, if it is valid UTF-8"),
        .field("stdout_base64", \.stdoutBase64, "standard output that is not valid UTF-8, in Base64"),
        .field("stdout_file", \.stdoutFile, "file with standard output, in the same directory as this document"),
        .field("stderr", \.stderr, "standard error, if it is valid UTF-8"),
        .field("stderr_base64", \.stderrBase64, "standard error that is not valid UTF-8, in Base64"),
        .field("stderr_file", \.stderrFile, "file with standard error, in the same directory as this document"),
    ]
}
