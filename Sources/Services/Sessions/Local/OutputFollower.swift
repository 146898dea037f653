import Core
import Runtime

/// Passes on a session's output as it is written, until the session ends.
///
/// Bytes come from the holder while the receiver keeps up, and from the log while it does not, so that a slow receiver
/// neither burdens the holder nor misses output that the log still has.
struct OutputFollower {
    private let sessions: LocalSessions
    private let session: Session
    private let receiver: any OutputReceiver
    /// Whether bytes omitted by the holder are read from the log.
    private let isLossless: Bool
    private var reader: LogReader
    private var ended: Session?
    /// Reads the marks of the output that precedes the connection; nil if they are not needed.
    private var timeline: SessionTimeline?
    /// The last mark at or before the start.
    private var firstMark: ShellMark?
    private let start: UInt64
    /// The last known size of the terminal.
    private var size: TerminalSize

    /// The number of failed connections to a running holder after which following fails; output resets the count.
    private static let attempts = 5

    init(
        _ sessions: LocalSessions,
        session: Session,
        log: any SessionLog,
        from offset: UInt64,
        isLossless: Bool = true,
        hasPastMarks: Bool = false,
        receiver: any OutputReceiver
    ) {
        (self.sessions, self.session, self.receiver) = (sessions, session, receiver)
        self.isLossless = isLossless
        reader = LogReader(log, from: offset)
        start = offset
        size = session.size
        timeline = hasPastMarks ? SessionTimeline() : nil
    }

    /// Returns the session in its final state, or nil if the receiver stopped reading.
    mutating func follow() async throws(VTError) -> Session? {
        var failures = 0
        while true {
            guard let session = try current() else {
                // The log stays readable while it is open.
                guard try await readMarks(), try await read(to: try reader.log.endOffset()) else { return nil }
                throw LocalSessions.removed(self.session)
            }
            guard session.state.isLive else {
                guard try await readMarks(), try await read(to: max(session.outputBytes, try reader.log.endOffset()))
                else { return nil }
                return session
            }
            let start = reader.position
            do throws(VTError) {
                guard try await followHolder() else { return nil }
            } catch {
                // The session may end after its state was checked; its record then shows that.
                guard error.code.isNegative || error.code == .hostUnreachable else { throw error }
                failures = reader.position > start ? 1 : failures + 1
                guard failures < Self.attempts else { throw error }
                try await sessions.clock.pause(for: .milliseconds(20 * failures * failures))
            }
        }
    }

    /// The session in its current state; if it has already been removed, in the final state that its holder reported,
    /// or nil if that is unknown.
    private func current() throws(VTError) -> Session? {
        do throws(VTError) {
            return try sessions.host.session(session.id.text)
        } catch {
            guard error.code == .notFound else { throw error }
            return ended
        }
    }

    /// Returns true once the session has ended, or false if the receiver stopped reading.
    private mutating func followHolder() async throws(VTError) -> Bool {
        let connection = try await sessions.connection(to: session)
        // The position includes everything that the receiver got, even if the connection was lost afterward.
        let (result, follower) = try await withCleanup(connection.close) { () async throws(VTError) in
            try await watched(connection)
        }
        self = follower
        return try result.get()
    }

    /// Follows the output in a copy of this follower, and watches the holder.
    ///
    /// - Throws: `protocol` when the holder does not respond.
    private func watched(
        _ connection: SessionConnection
    ) async throws(VTError) -> (result: Result<Bool, VTError>, follower: Self) {
        let limits = sessions.holderLimits
        return try await withWatch({ () async throws(VTError) in try await connection.watch(limits) }) {
            () async throws(VTError) in
            var follower = self
            do throws(VTError) {
                let shouldContinue = try await follower.follow(connection)
                return (.success(shouldContinue), follower)
            } catch {
                return (.failure(error), follower)
            }
        }
    }

    private mutating func follow(_ connection: SessionConnection) async throws(VTError) -> Bool {
        var attachment = SessionFrame.Attachment.reader(from: reader.position)
        attachment.wantsMarks = receiver.wantsMarks
        let attached = try await connection.attach(attachment)
        // The terminal may have been resized since the record was read, or while the connection was lost.
        if let size = attached.size, size != self.size { try await resized(to: size) }
        // The holder sends all later marks; the first of these may be among them again.
        guard try await readMarks() else { return false }
        let watchesInput = connection.features & SessionFrame.Feature.watchesInput != 0
        while true {
            switch try await connection.nextAnswer() {
            case .output(let offset, let bytes):
                if !isLossless { _ = try await read(to: offset) }
                guard try await reader.forward(bytes, at: offset, receiver: receiver) else { return false }
            case .exit(let status, let offset):
                var session = session
                (session.state, session.exit, session.outputBytes) = (.exited, status, offset)
                ended = session
                return try await read(to: offset)
            case .resized(let size): try await resized(to: size)
            // The output is no longer in the log, or was never written to it.
            case .gap(_, let end):
                if !isLossless { try await receiver.gap(from: reader.position, to: end) }
                guard try await read(to: end) else { return false }
            // A holder that does not know what the shell has read reports the prompt at which input was sent.
            case .mark(let mark) where mark.kind == .input && mark.offset <= start && !watchesInput: continue
            case .mark(let mark):
                // Output before the mark may still be missing.
                guard try await read(to: mark.offset), try await receiver.mark(mark) else { return false }
            default: continue
            }
        }
    }

    private mutating func resized(to size: TerminalSize) async throws(VTError) {
        self.size = size
        try await receiver.resized(to: size)
    }

    /// Passes on the output up to the last mark in the timeline, and the marks.
    private mutating func readMarks() async throws(VTError) -> Bool {
        while let event = try timeline?.next(in: reader.log) {
            guard case .shell(let mark) = event.kind else { continue }
            if mark.offset <= start {
                firstMark = mark
            } else if mark.offset >= reader.position {
                try await passFirstMark()
                guard try await read(to: mark.offset), try await receiver.mark(mark) else { return false }
            }
        }
        try await passFirstMark()
        return true
    }

    private mutating func passFirstMark() async throws(VTError) {
        defer { firstMark = nil }
        if let firstMark { try await receiver.begin(after: firstMark) }
    }

    private mutating func read(to end: UInt64) async throws(VTError) -> Bool {
        guard isLossless else {
            reader = LogReader(reader.log, from: max(end, reader.position))
            return true
        }
        return try await reader.read(to: end, receiver: receiver)
    }
}

extension SessionFrame.Attachment {
    /// An attachment for a read-only client: output from an offset or, without one, the screen and then output.
    static func reader(from offset: UInt64?) -> Self {
        Self(from: offset, isReadOnly: true, size: nil, token: SessionFrame.randomToken)
    }
}
