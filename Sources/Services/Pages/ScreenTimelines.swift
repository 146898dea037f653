import Core
import Recording
import Runtime
import Synchronization
import System

/// The timelines that pages have used last.
final class ScreenTimelines: Sendable {
    private struct Entry {
        let subject: PageSubject
        let timeline: ScreenTimeline
        let time: ContinuousClock.Instant
        /// Whether the session was running.
        let isGrowing: Bool
    }

    private static let limit = 4
    /// How long a timeline of a running session is used for times after its end.
    private static let freshTime = Duration.seconds(2)

    private let entries = Mutex<[Entry]>([])
    /// Held while the timeline of a subject is built.
    private let locks = Mutex<[PageSubject: AsyncLock]>([:])
    private static let lockLimit = 256

    /// Returns the timeline of an entry; one that includes this time, if possible.
    func timeline(
        of page: PageEntry,
        including time: Int64,
        client: (String?) throws(VTError) -> SessionClient
    ) async throws(VTError) -> ScreenTimeline {
        try await lock(of: page.subject).withLock { () async throws(VTError) in
            if let known = known(page, time) { return known }
            let timeline = try ScreenTimeline()
            switch page.subject {
            case .recording(let path):
                try await onOwnThread { () throws(VTError) in
                    let file = try RecordingFile(opening: path, policy: .lenient)
                    try file.read({ item throws(VTError) in try timeline.append(item) })
                }
            case .session(let profile, let id):
                let sink = TimelineSink(timeline)
                try await client(profile).record(id.text, RecordRequest(), to: sink)
                try await sink.finish()
            }
            try timeline.finish()
            keep(timeline, of: page)
            return timeline
        }
    }

    private func lock(of subject: PageSubject) -> AsyncLock {
        locks.withLock { locks in
            if let lock = locks[subject] { return lock }
            // A timeline that is being built may then be built twice.
            if locks.count >= Self.lockLimit { locks = [:] }
            let lock = AsyncLock()
            locks[subject] = lock
            return lock
        }
    }

    private func known(_ page: PageEntry, _ time: Int64) -> ScreenTimeline? {
        let entry = entries.withLock { $0.last { $0.subject == page.subject } }
        guard let entry else { return nil }
        let isComplete = !entry.isGrowing || time <= entry.timeline.duration
        return isComplete || ContinuousClock.now - entry.time < Self.freshTime ? entry.timeline : nil
    }

    private func keep(_ timeline: ScreenTimeline, of page: PageEntry) {
        let entry = Entry(subject: page.subject, timeline: timeline, time: .now, isGrowing: page.isLive)
        entries.withLock { entries in
            entries.removeAll { $0.subject == page.subject }
            if entries.count >= Self.limit { entries.removeFirst() }
            entries.append(entry)
        }
    }
}

/// Adds the bytes of an asciicast to a timeline, on threads of their own, because this can take long.
private final class TimelineSink: ByteSink {
    private struct State: ~Copyable {
        var reader = AsciicastReader(.lenient)
        var unread: [UInt8] = []
    }

    private static let pieceBytes = 256 << 10

    private let timeline: ScreenTimeline
    private let state = Mutex(State())

    init(_ timeline: ScreenTimeline) {
        self.timeline = timeline
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        let unread = state.withLock { state in
            state.unread += bytes
            return state.unread.count
        }
        if unread >= Self.pieceBytes { try await process(isLast: false) }
    }

    func finish() async throws(VTError) {
        try await process(isLast: true)
    }

    private func process(isLast: Bool) async throws(VTError) {
        try await onOwnThread { () throws(VTError) in
            try self.state.withLock { state throws(VTError) in
                state.reader.append(state.unread)
                state.unread = []
                if isLast { state.reader.finish() }
                while let item = try state.reader.next() { try self.timeline.append(item) }
            }
        }
    }
}
