import Core
import Runtime
import System
import Terminal

/// What a stand-in for a holder reports about a session, and does with requests that would change it.
protocol StandInSource: Sendable {
    var log: any SessionLog { get }
    /// The session's current record.
    var record: Session { get }
    /// Whether all output is in the log.
    var hasEnded: Bool { get }
    /// The features in `hello`.
    var features: UInt64 { get }

    /// Waits until the record and, for a client that attaches, what it is sent first are known.
    func prepare(_ attachment: SessionFrame.Attachment?) async throws(VTError)

    /// The size of the first screen of a client that attaches.
    func screenSize(_ attachment: SessionFrame.Attachment) -> TerminalSize

    /// Waits until there is output after a position, the size has changed or the session has ended; without a position,
    /// until the session is lost. Returns nil if nothing can change.
    func changed(after position: UInt64?, _ size: TerminalSize?) async throws(VTError) -> Void?

    /// Returns the next message for the client that is attached.
    func nextNote() -> String?

    /// The client that is attached needs only output after this offset.
    func hasRead(to offset: UInt64)

    /// Answers a request that would change the session.
    func answer(to request: SessionFrame) async throws(VTError) -> [SessionFrame]
}

/// Takes the place of a holder: a client gets the output and the exit status of the session as if it were connected to one.
final class StandInChannel: SessionChannel {
    private struct State {
        var decoder = SessionFrameDecoder()
        var answers: [SessionFrame] = []
        /// The offset of the next output to send; nil until a client attaches.
        var position: UInt64?
        var size: TerminalSize?
        var isClosed = false
        var hasEnded = false
    }

    private let source: any StandInSource
    private let version: String
    private let state = Monitor(State())

    private static let pieceBytes = 256 << 10

    init(for source: any StandInSource, version: String) {
        (self.source, self.version) = (source, version)
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
        let (position, size) = state.withLock { ($0.position, $0.size) }
        try await firstResult { tasks in
            tasks.add { () async throws(VTError) in
                try await self.state.wait { state -> Void? in
                    !state.answers.isEmpty || state.isClosed || state.position != position ? () : nil
                }
            }
            tasks.add { () async throws(VTError) in try await self.source.changed(after: position, size) }
        }
    }

    /// The next output or resize for an attached client, or how the session ended; nil if nothing has happened.
    private func nextOutput() throws(VTError) -> SessionFrame? {
        guard let position = state.withLock(\.position), !state.withLock(\.hasEnded) else { return nil }
        if let note = source.nextNote() { return .note(note, isDetail: false) }
        let bytes = try source.log.read(from: position, limit: Self.pieceBytes)
        if !bytes.isEmpty {
            let end = position + UInt64(bytes.count)
            state.update { $0.position = end }
            source.hasRead(to: end)
            return .output(offset: position, bytes: bytes)
        }
        let record = source.record
        if state.withLock({ $0.size != record.size }) {
            state.update { $0.size = record.size }
            return .resized(record.size)
        }
        guard source.hasEnded, try source.log.endOffset() <= position else { return nil }
        state.update { $0.hasEnded = true }
        let last = source.record
        return last.exit.map { .exit($0, offset: position) } ?? .failure(last.unknownEnd())
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
            let number = SessionFrame.protocolNumber
            return [.hello(protocolNumber: number, features: source.features, version: version)]
        case .status:
            try await source.prepare(nil)
            return [.record(source.record)]
        case .attach(let attachment): return try await attach(attachment)
        case .input, .resize, .rename, .execute, .marker, .suspend, .sentInput, .ask, .kill:
            return try await source.answer(to: request)
        case .colors, .redraw, .identify, .withdraw, .force, .record, .killed, .attached, .output, .gap, .screen,
            .accepted, .resized, .done, .exit, .failure, .queued, .mark, .sent, .call, .data, .result, .note, .outdated,
            .page:
            return []
        }
    }

    private func attach(_ attachment: SessionFrame.Attachment) async throws(VTError) -> [SessionFrame] {
        try await source.prepare(attachment)
        let (first, end) = (try source.log.firstOffset(), try source.log.endOffset())
        let (from, size) = (attachment.from ?? end, source.record.size)
        var answers = [SessionFrame.attached(offset: from, lastInput: 0, size: size)]
        if attachment.from == nil {
            let source = source
            let screen = try await onOwnThread { () throws(VTError) in
                try EmulatorScreen().screen(of: source.log, end: end, size: source.screenSize(attachment))
            }
            answers.append(.screen(offset: end, bytes: screen.count > SessionFrame.screenLimitBytes ? [] : screen))
        } else if from < first {
            answers.append(.gap(from: from, to: first))
        }
        source.hasRead(to: max(from, first))
        state.update { ($0.position, $0.size) = (max(from, first), size) }
        return answers
    }
}

/// A session whose holder has exited, based on its files.
struct EndedSession: StandInSource {
    let record: Session
    let log: any SessionLog

    var hasEnded: Bool { true }
    /// Clients must remove queries from the output: the program has ended and reads no replies.
    var features: UInt64 { SessionFrame.Feature.answersQueries }

    func prepare(_ attachment: SessionFrame.Attachment?) {}
    func screenSize(_ attachment: SessionFrame.Attachment) -> TerminalSize { attachment.size ?? record.size }
    func changed(after position: UInt64?, _ size: TerminalSize?) -> Void? { nil }
    func nextNote() -> String? { nil }
    func hasRead(to offset: UInt64) {}

    func answer(to request: SessionFrame) -> [SessionFrame] {
        if case .kill = request { [.killed(survivors: [])] } else { [.failure(record.unknownEnd())] }
    }
}
