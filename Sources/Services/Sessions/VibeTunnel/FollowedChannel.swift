import Core
import Runtime
import System
import Terminal
import VibeTunnel

/// Takes the place of the holder of a session, based on what a VibeTunnel server reports about it.
final class FollowedChannel: SessionChannel {
    private struct State {
        var decoder = SessionFrameDecoder()
        var answers: [SessionFrame] = []
        /// The offset of the next output to send; nil until a client attaches.
        var position: UInt64?
        var size: TerminalSize?
        var isClosed = false
        var hasEnded = false
        /// The start of a character that the client has not typed completely.
        var typed: [UInt8] = []
    }

    private let session: FollowedSession
    private let server: VibeTunnelServer
    /// The ID of the session on the server.
    private let id: SessionID
    private let clock: any Clock<Duration>
    private let version: String
    private let state = Monitor(State())

    private static let pieceBytes = 64 << 10

    init(
        _ session: FollowedSession,
        on server: VibeTunnelServer,
        id: SessionID,
        clock: any Clock<Duration>,
        version: String
    ) {
        (self.session, self.server, self.id, self.clock, self.version) = (session, server, id, clock, version)
    }

    // MARK: - Reading

    func read() async throws(VTError) -> [UInt8]? {
        while true {
            if let frame = state.withLock({ $0.answers.isEmpty ? nil : $0.answers.removeFirst() }) {
                return frame.encoded
            }
            if let frame = try nextOutput() { return frame.encoded }
            if state.withLock({ $0.isClosed || $0.hasEnded }) { return nil }
            try await changed()
        }
    }

    /// Waits until an answer, output or the end can be read.
    private func changed() async throws(VTError) {
        let position = state.withLock(\.position)
        let size = state.withLock(\.size)
        try await firstResult { tasks in
            tasks.add { () async throws(VTError) in
                try await self.state.wait { state -> Void? in
                    let isReady = !state.answers.isEmpty || state.isClosed || state.position != position
                    return isReady ? () : nil
                }
            }
            tasks.add { () async throws(VTError) in
                try await self.session.wait { end, record, failure -> Void? in
                    if failure != nil { return () }
                    guard let position else { return nil }
                    return end > position || !record.state.isLive || record.size != size ? () : nil
                }
            }
        }
        if let failure = try await session.wait({ _, record, failure in .some(record.state.isLive ? failure : nil) }) {
            throw failure
        }
    }

    /// The next output or resize for an attached client, or how the session ended; nil if nothing has happened.
    private func nextOutput() throws(VTError) -> SessionFrame? {
        guard let position = state.withLock(\.position), !state.withLock(\.hasEnded) else { return nil }
        if let note = session.nextNote() { return .note(note, isDetail: false) }
        let bytes = try session.read(from: position, limit: Self.pieceBytes)
        if !bytes.isEmpty {
            let end = position + UInt64(bytes.count)
            state.update { $0.position = end }
            session.hasRead(to: end)
            return .output(offset: position, bytes: bytes)
        }
        let record = session.record
        if state.withLock({ $0.size != record.size }) {
            state.update { $0.size = record.size }
            return .resized(record.size)
        }
        guard !record.state.isLive, record.outputBytes == position else { return nil }
        state.update { $0.hasEnded = true }
        return record.exit.map { .exit($0, offset: position) } ?? .failure(record.unknownEnd(as: record.name))
    }

    // MARK: - Writing

    func write(_ bytes: [UInt8]) async throws(VTError) {
        state.withLock { $0.decoder.append(bytes) }
        while let request = try state.withLock({ state throws(VTError) in try state.decoder.next() }) {
            let answers = try await answers(to: request)
            state.update { $0.answers += answers }
        }
    }

    func close() async {
        state.update { $0.isClosed = true }
    }

    private func answers(to request: SessionFrame) async throws(VTError) -> [SessionFrame] {
        switch request {
        case .hello:
            return [.hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: version)]
        case .status:
            try await session.connected()
            try await session.historyArrived(limit: SessionFollower.historyTimeout, on: clock)
            return [.record(session.record)]
        case .attach(let attachment): return try await attach(attachment)
        case .input(let sequence, _, let bytes):
            if session.takes(sequence) {
                do throws(VTError) {
                    try await type(bytes)
                } catch {
                    session.reportLostInput(bytes.count)
                    throw error
                }
            }
            return [.accepted(sequence: sequence, offset: session.record.outputBytes)]
        // Clients of the server share the terminal, so that a client of vt must not change its size.
        case .resize, .colors, .redraw, .withdraw, .identify: return []
        case .rename, .execute, .marker, .suspend, .sentInput, .kill:
            return [.failure(VTError(.usage, "sessions of a VibeTunnel server do not support this"))]
        case .record, .killed, .attached, .output, .gap, .screen, .accepted, .resized, .done, .exit, .failure,
            .queued, .mark, .sent, .call, .data, .result, .note, .outdated, .page:
            return []
        }
    }

    private func attach(_ attachment: SessionFrame.Attachment) async throws(VTError) -> [SessionFrame] {
        guard attachment.isReadOnly || !session.isReadOnly else {
            throw VTError(.authDenied, "the link is for watching only", hint: "add --read-only")
        }
        try await session.connected()
        if attachment.from == nil { try await session.historyArrived(limit: SessionFollower.historyTimeout, on: clock) }
        let record = session.record
        let from = attachment.from ?? record.outputBytes
        var answers = [SessionFrame.attached(offset: from, lastInput: 0, size: record.size)]
        if attachment.from == nil {
            let session = session
            let screen = try await onOwnThread { () throws(VTError) in
                try EmulatorScreen().screen(of: session, end: from, size: record.size)
            }
            answers.append(.screen(offset: from, bytes: screen.count > SessionFrame.screenLimitBytes ? [] : screen))
        }
        session.readOnce(from: from)
        state.update { ($0.position, $0.size) = (from, record.size) }
        return answers
    }

    /// Types what a client has sent; the protocol has only text.
    private func type(_ bytes: [UInt8]) async throws(VTError) {
        let text = state.withLock { state -> String in
            let all = state.typed + bytes
            let rest = all.unfinishedCharacterBytes
            state.typed = Array(all.suffix(rest))
            return String(decoding: all.dropLast(rest), as: UTF8.self)
        }
        guard !text.isEmpty else { return }
        if let input = session.input {
            try await input.type(text)
        } else {
            try await server.type(text, in: id)
        }
    }
}
