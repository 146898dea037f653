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
    private let lock = AsyncLock()

    /// Returns the timeline of an entry; one that includes this time, if possible.
    func timeline(
        of page: PageEntry,
        including time: Int64,
        client: (String?) throws(VTError) -> SessionClient
    ) async throws(VTError) -> ScreenTimeline {
        try await lock.withLock { () async throws(VTError) in
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
                try sink.finish()
            }
            try timeline.finish()
            keep(timeline, of: page)
            return timeline
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

/// Adds the bytes of an asciicast to a timeline.
private final class TimelineSink: ByteSink {
    private struct State: ~Copyable {
        var reader = AsciicastReader(.lenient)
    }

    private let timeline: ScreenTimeline
    private let state = Mutex(State())

    init(_ timeline: ScreenTimeline) {
        self.timeline = timeline
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try state.withLock { state throws(VTError) in
            state.reader.append(bytes)
            while let item = try state.reader.next() { try timeline.append(item) }
        }
    }

    func finish() throws(VTError) {
        try state.withLock { state throws(VTError) in
            state.reader.finish()
            while let item = try state.reader.next() { try timeline.append(item) }
        }
    }
}
