import Core

/// How far the end of a session has come; times are in microseconds since boot.
struct HolderEnding {
    /// How the program ended, and when that was seen.
    var status: ExitStatus?
    var endedAt: Int64 = 0
    /// When the terminal was last heard after that.
    var heardAt: Int64 = 0
    /// Whether the directory knows.
    var isRecorded = false
    var recordedAt: Int64 = 0
    /// What those hear who asked for the end, once the directory knows of it: they may act on that at once.
    var answers: [(client: HolderClient, frame: SessionFrame)] = []
    /// When a client last took something after that, and how much it was in all.
    var progressAt: Int64 = 0
    var progress: UInt64 = 0
    /// Whether the process can end.
    var isComplete = false

    /// How long a terminal that programs in the background keep open must be quiet, and how long it may go on.
    static let quiet: Int64 = 100_000
    static let drainLimit: Int64 = 2_000_000
    /// How long clients may read nothing of the rest, and how long they may take at all; it stays in the files.
    static let announceQuiet: Int64 = 2_000_000
    static let announceLimit: Int64 = 10_000_000
    /// How long those may ask who have not attached.
    static let questionTime: Int64 = 100_000

    /// Whether nothing more is to be expected of the terminal.
    func isQuiet(now: Int64) -> Bool {
        now >= min(max(endedAt, heardAt) + Self.quiet, endedAt + Self.drainLimit)
    }

    func nextStep(isKilling: Bool) -> Int64 {
        guard status != nil else { return .max }
        if isRecorded { return recordedAt + Self.questionTime }
        return isKilling ? .max : min(max(endedAt, heardAt) + Self.quiet, endedAt + Self.drainLimit)
    }
}
