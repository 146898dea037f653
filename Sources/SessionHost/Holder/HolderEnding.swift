import Core

/// The state of a session that is ending; times are in microseconds since boot.
struct HolderEnding {
    /// How the program ended; nil while it is running.
    var status: ExitStatus?
    /// When the end of the program was detected.
    var endedAt: Int64 = 0
    /// When the terminal last produced output after the program ended.
    var lastOutputAt: Int64 = 0
    /// Whether the end has been written to the session's record.
    var isRecorded = false
    var recordedAt: Int64 = 0
    /// Answers to clients that requested the end; sent only once it is recorded, so that clients can read the record.
    var answers: [(client: HolderClient, frame: SessionFrame)] = []
    /// When a client last received data, or output was last processed for the screen.
    var progressAt: Int64 = 0
    /// The total number of bytes sent to clients and processed for the screen.
    var progress: UInt64 = 0
    /// Whether the process can exit.
    var isComplete = false

    /// How long a terminal that background programs keep open must be quiet before the end is recorded.
    static let quiet: Int64 = 100_000
    /// The maximum time to wait for the terminal to become quiet.
    static let drainLimit: Int64 = 2_000_000
    /// How long to wait for clients that have stopped reading the remaining output, which is also in the log.
    static let announceQuiet: Int64 = 2_000_000
    /// The maximum time to wait for clients to read all remaining output.
    static let announceLimit: Int64 = 10_000_000
    /// How long to wait for clients that have stopped reading if the log is removed afterward.
    static let removalQuiet: Int64 = 60_000_000
    /// How long clients that have not attached may still send requests after the end is recorded.
    static let requestTimeout: Int64 = 100_000

    /// Whether no more output is expected from the terminal.
    func isQuiet(now: Int64) -> Bool {
        now >= min(max(endedAt, lastOutputAt) + Self.quiet, endedAt + Self.drainLimit)
    }

    /// When the process stops waiting for attached clients; `isRemoved` means that it then removes the session.
    func announceEnd(isRemoved: Bool) -> Int64 {
        let lastProgress = max(recordedAt, progressAt)
        if isRemoved { return lastProgress + Self.removalQuiet }
        return min(recordedAt + Self.announceLimit, lastProgress + Self.announceQuiet)
    }

    func nextStep(now: Int64, isKilling: Bool, isRemoved: Bool) -> Int64 {
        guard status != nil else { return .max }
        if isRecorded {
            let requestsEnd = recordedAt + Self.requestTimeout
            return now < requestsEnd ? requestsEnd : announceEnd(isRemoved: isRemoved)
        }
        return isKilling ? .max : min(max(endedAt, lastOutputAt) + Self.quiet, endedAt + Self.drainLimit)
    }
}
