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

    private let watched: WatchedSessions
    private let entries = Mutex<[Entry]>([])
    /// Held while the timeline of a subject is built.
    private let locks = Mutex<[PageSubject: AsyncLock]>([:])
    private static let lockLimit = 256
    /// The length of a recording that is read at once.
    private static let pieceBytes = 256 << 10

    init(_ watched: WatchedSessions) {
        self.watched = watched
    }

    /// Returns the timeline of an entry; one that includes this time, if possible.
    func timeline(of page: PageEntry, including time: Int64) async throws(VTError) -> ScreenTimeline {
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
                // On threads of their own, because this can take long.
                let sink = RecordingSink(pieceBytes: Self.pieceBytes) { items async throws(VTError) in
                    try await onOwnThread { () throws(VTError) in
                        for item in items { try timeline.append(item) }
                    }
                }
                try await watched.client(of: profile).call(RecordRequest(), on: id.text, sink: sink)
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
