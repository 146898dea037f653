import Core
import Runtime
import Synchronization

extension RemoteSessions {
    package func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session {
        let frames = FrameSink(receiver)
        return try await reconnecting(progress: { frames.position }) { host async throws(VTError) in
            frames.begin()
            let start = frames.position.map { LogStart.offset($0) } ?? start
            let words = Self.logWords(name, from: start, follows: follows)
            do throws(VTError) {
                _ = try await self.run(words, on: host, to: frames, isPrompt: !follows)
            } catch {
                guard frames.isStopped else { throw error }
                return try await self.session(name)
            }
            guard let json = frames.record else {
                throw VTError(.protocolViolation, "vt on '\(self.name)' exited in the middle of a response")
            }
            return try Session(json: json, source: "the response of \(self.name)")
        }
    }

    private static func logWords(_ name: String, from start: LogStart, follows: Bool) -> [ByteString] {
        var words: [ByteString] = ["sessions", "logs", "--json", "--frames"]
        if follows { words.append("--follow") }
        switch start {
        case .offset(let offset): words += ["--from", ByteString(String(offset))]
        case .lastLines(let count): words += ["--tail", ByteString(String(count))]
        case .time(let time): words += ["--since", ByteString(time.rawValue)]
        case .last(let duration): words += ["--since", ByteString(duration.shortText)]
        }
        return words + ["--", ByteString(name)]
    }

    package func wait(
        for condition: WaitCondition,
        of name: String,
        from offset: UInt64?,
        timeout: Duration?
    ) async throws(VTError) -> WaitOutcome {
        guard let timeout else { return try await wait(for: condition, of: name, from: offset) }
        let late = condition.timedOut("'\(self.name):\(name)'", after: timeout)
        return try await withTimeout(timeout, on: clock, throwing: late) { () async throws(VTError) in
            try await self.wait(for: condition, of: name, from: offset)
        }
    }

    /// Waits again after a lost connection, from the same offset if there is one.
    private func wait(
        for condition: WaitCondition,
        of name: String,
        from offset: UInt64?
    ) async throws(VTError) -> WaitOutcome {
        let began = ContinuousClock.now
        var start = offset
        return try await reconnecting(progress: { nil }) { host async throws(VTError) in
            // Unlike the wait, this request has a timeout, so that a vt that does not reply is detected.
            let session = try await self.session(name)
            if start == nil, case .match = condition { start = session.sentOffset ?? 0 }
            let words = Self.waitWords(for: condition, of: name, from: start)
            let answer = try await self.remote.answer(to: words, on: host, named: self.name, input: OpenSource())
            let document = try RemoteDocument(answer.output, from: self.name)
            return WaitOutcome(
                id: try document.id(),
                name: document.string("name") ?? name,
                state: try document.state(),
                exit: document.exit(),
                offset: try document.unsigned("offset"),
                match: document.string("match"),
                line: document.string("line"),
                row: document.integer("row"),
                commandExit: document.integer("command_exit"),
                elapsed: ContinuousClock.now - began
            )
        }
    }

    private static func waitWords(for condition: WaitCondition, of name: String, from start: UInt64?) -> [ByteString] {
        var words: [ByteString] = ["sessions", "wait", "--json", "--until-eof"]
        switch condition {
        case .exit: words.append("--exit")
        case .match(let pattern, let text):
            words += ["--match", ByteString(text)]
            if pattern.ignoresCase { words.append("--ignore-case") }
        case .prompt: words.append("--prompt")
        case .idle(let duration): words += ["--idle", ByteString(duration.shortText)]
        }
        if let start, !condition.isExit { words += ["--from", ByteString(String(start))] }
        return words + ["--", ByteString(name)]
    }
}

extension WaitCondition {
    fileprivate var isExit: Bool {
        if case .exit = self { true } else { false }
    }
}

/// Decodes output from the frames sent by a server's vt.
private final class FrameSink: ByteSink {
    private struct State {
        var decoder = SessionFrameDecoder()
        var position: UInt64?
        var record: [UInt8]?
        var isStopped = false
    }

    private let receiver: any OutputReceiver
    private let state = Mutex(State())

    init(_ receiver: any OutputReceiver) {
        self.receiver = receiver
    }

    /// The offset where output continues; nil before any output has been received.
    var position: UInt64? { state.withLock { $0.position } }

    /// The session's record, which follows all output; nil until it arrives.
    var record: [UInt8]? { state.withLock { $0.record } }

    /// Whether the receiver wants no more output.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Discards an incomplete frame from an earlier connection.
    func begin() {
        state.withLock { $0.decoder = SessionFrameDecoder() }
    }

    /// - Throws: `cancelled` when the receiver wants no more output; errors thrown by the receiver.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        state.withLock { $0.decoder.append(bytes) }
        while let frame = try state.withLock({ state throws(VTError) in try state.decoder.next() }) {
            switch frame {
            case .output(let offset, let bytes):
                let continues = try await receiver.output(bytes, at: offset)
                state.withLock { state in
                    state.position = offset + UInt64(bytes.count)
                    state.isStopped = !continues
                }
                guard continues else { throw .cancelled }
            case .gap(let from, let to):
                try await receiver.gap(from: from, to: to)
                state.withLock { $0.position = to }
            case .record(let json): state.withLock { $0.record = json }
            default: continue
            }
        }
    }
}
