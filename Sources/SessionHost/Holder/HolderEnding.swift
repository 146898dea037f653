import Core

/// The progress of a session's end; times are in microseconds since boot.
struct HolderEnding {
    /// How the program ended, and when this was detected.
    var status: ExitStatus?
    var endedAt: Int64 = 0
    /// When the terminal last had output after that.
    var lastOutputAt: Int64 = 0
    /// Whether the end has been recorded in the directory.
    var isRecorded = false
    var recordedAt: Int64 = 0
    /// Answers to clients that requested the end, sent once it is recorded because they may act on it immediately.
    var answers: [(client: HolderClient, frame: SessionFrame)] = []
    /// When a client last received data after that, and the total amount.
    var progressAt: Int64 = 0
    var progress: UInt64 = 0
    /// Whether the process can exit.
    var isComplete = false

    /// How long a terminal that background programs keep open must be quiet, and the limit for waiting.
    static let quiet: Int64 = 100_000
    static let drainLimit: Int64 = 2_000_000
    /// How long clients may read nothing of the remaining output, and the limit in total; the output is still in the
    /// files.
    static let announceQuiet: Int64 = 2_000_000
    static let announceLimit: Int64 = 10_000_000
    /// How long clients that have not attached may still send requests.
    static let requestTimeout: Int64 = 100_000

    /// Whether no more output is expected from the terminal.
    func isQuiet(now: Int64) -> Bool {
        now >= min(max(endedAt, lastOutputAt) + Self.quiet, endedAt + Self.drainLimit)
    }

    func nextStep(isKilling: Bool) -> Int64 {
        guard status != nil else { return .max }
        if isRecorded { return recordedAt + Self.requestTimeout }
        return isKilling ? .max : min(max(endedAt, lastOutputAt) + Self.quiet, endedAt + Self.drainLimit)
    }
}
