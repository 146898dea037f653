import Core
import Runtime
import Synchronization
import Terminal

/// Takes the place of a holder that has exited, based on the session's files: a client that reconnects after the end of
/// the session gets the remaining output and the exit status as if the holder were still running.
final class EndedSessionChannel: SessionChannel {
    private struct State: Sendable {
        var decoder = SessionFrameDecoder()
        var answers: [[UInt8]] = []
        /// The output that has not been sent yet; nil until a client attaches.
        var output: Range<UInt64>?
        var isEnded = false
    }

    private let session: Session
    private let log: any SessionLog
    private let version: String
    private let monitor = Monitor(State())

    private static let chunkBytes = 256 << 10

    init(_ session: Session, log: any SessionLog, version: String) {
        self.session = session
        self.log = log
        self.version = version
    }

    func read() async throws(VTError) -> [UInt8]? {
        let (answer, output) = try await monitor.wait { state -> ([UInt8]?, Range<UInt64>?)? in
            if !state.answers.isEmpty { return (state.answers.removeFirst(), nil) }
            if let output = state.output { return (nil, output) }
            return state.isEnded ? (nil, nil) : nil
        }
        guard let output else { return answer }
        return try next(of: output)
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        monitor.withLock { $0.decoder.append(bytes) }
        while let request = try nextRequest() {
            let answers = try answers(to: request)
            monitor.update { $0.answers += answers.map(\.encoded) }
        }
    }

    func close() async {
        monitor.update { $0.isEnded = true }
    }

    // MARK: -

    private func nextRequest() throws(VTError) -> SessionFrame? {
        try monitor.withLock { state throws(VTError) in try state.decoder.next() }
    }

    private func answers(to request: SessionFrame) throws(VTError) -> [SessionFrame] {
        switch request {
        case .hello:
            // Clients must remove queries from the output: the program has ended and reads no replies.
            let features = SessionFrame.Feature.answersQueries
            return [.hello(protocolNumber: SessionFrame.protocolNumber, features: features, version: version)]
        case .status: return [.record(session)]
        case .kill: return [.killed(survivors: [])]
        case .attach(let attachment): return try attach(attachment)
        case .input, .resize, .rename, .execute, .marker, .suspend, .sentInput: return [.failure(ended)]
        case .colors, .redraw, .identify, .withdraw: return []
        case .record, .killed, .attached, .output, .gap, .screen, .accepted, .resized, .done, .exit, .failure,
            .queued, .mark, .sent, .call, .data, .result, .note, .outdated, .page:
            return []
        }
    }

    private func attach(_ attachment: SessionFrame.Attachment) throws(VTError) -> [SessionFrame] {
        let (first, end) = (try log.firstOffset(), try log.endOffset())
        let from = attachment.from ?? end
        var answers = [SessionFrame.attached(offset: from, lastInput: 0, size: session.size)]
        if attachment.from == nil {
            let screen = try EmulatorScreen().screen(of: log, end: end, size: attachment.size ?? session.size)
            answers.append(.screen(offset: end, bytes: screen.count > SessionFrame.screenLimitBytes ? [] : screen))
        } else if from < first {
            answers.append(.gap(from: from, to: first))
        }
        monitor.withLock { $0.output = max(from, first)..<max(from, first, end) }
        return answers
    }

    /// The next output bytes as a frame; after the last bytes, a frame that reports how the session ended.
    private func next(of output: Range<UInt64>) throws(VTError) -> [UInt8] {
        let limit = min(output.count, Self.chunkBytes)
        let bytes = limit > 0 ? try log.read(from: output.lowerBound, limit: limit) : []
        guard !bytes.isEmpty else {
            monitor.withLock { state in
                state.output = nil
                state.isEnded = true
            }
            return last(at: output.lowerBound).encoded
        }
        monitor.withLock { $0.output = output.lowerBound + UInt64(bytes.count)..<output.upperBound }
        return SessionFrame.output(offset: output.lowerBound, bytes: bytes).encoded
    }

    private func last(at offset: UInt64) -> SessionFrame {
        session.exit.map { .exit($0, offset: offset) } ?? .failure(ended)
    }

    private var ended: VTError { session.unknownEnd(as: session.name) }
}
