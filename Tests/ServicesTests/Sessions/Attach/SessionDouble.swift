import Core
import Runtime
import Services
import Synchronization
import TestSupport

/// A session holder without a program, controlled by the test.
final class SessionDouble: Sendable {
    private struct State {
        var output: [UInt8] = []
        var exit: ExitStatus?
        var size = TerminalSize.standard
        /// The typed input, and the last sequence number by token.
        var typed: [UInt8] = []
        var lastInputs: [[UInt8]: UInt64] = [:]
        var channels: [DoubleChannel] = []
        var attachments: [SessionFrame.Attachment] = []
        var sizes: [TerminalSize] = []
        /// Whether input is accepted but not acknowledged, as if the connection were about to break.
        var isSilent = false
        var features: UInt64 = 0
        /// The client's colors received by the holder, and the number of redraw requests.
        var colors: TerminalColors?
        var redraws = 0
        /// The number of markers added.
        var markers = 0
    }

    private let state = Monitor(State())
    let id = SessionID("0123456789ab")

    var colors: TerminalColors? { state.withLock { $0.colors } }
    var redraws: Int { state.withLock { $0.redraws } }
    var markers: Int { state.withLock { $0.markers } }

    /// Sets the protocol features of the holder.
    func setFeatures(_ features: UInt64) {
        state.withLock { $0.features = features }
    }

    var typed: [UInt8] { state.withLock { $0.typed } }
    var attachments: [SessionFrame.Attachment] { state.withLock { $0.attachments } }
    /// The requested sizes, in order.
    var sizes: [TerminalSize] { state.withLock { $0.sizes } }

    func write(_ text: String) {
        write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) {
        state.update { state in
            let offset = UInt64(state.output.count)
            state.output += bytes
            for channel in state.channels { channel.tell(.output(offset: offset, bytes: bytes)) }
        }
    }

    func exit(_ status: ExitStatus) {
        state.update { state in
            state.exit = status
            let frame = SessionFrame.exit(status, offset: UInt64(state.output.count))
            for channel in state.channels { channel.tell(frame, isLast: true) }
        }
    }

    func resize(_ size: TerminalSize) {
        state.update { state in
            state.size = size
            for channel in state.channels { channel.tell(.resized(size)) }
        }
    }

    func tell(_ frame: SessionFrame) {
        state.withLock { state in for channel in state.channels { channel.tell(frame) } }
    }

    /// Breaks all connections.
    func cut() {
        end(.failure(VTError(.hostUnreachable, "lost the connection to 'web:build'")))
    }

    /// Closes all connections.
    func leave() {
        end(.success(()))
    }

    private func end(_ end: Result<Void, VTError>) {
        state.update { state in
            for channel in state.channels { channel.end(end) }
            state.channels = []
        }
    }

    func setSilent(_ isSilent: Bool) {
        state.withLock { $0.isSilent = isSilent }
    }

    /// Waits until a condition is true, for at most ten seconds.
    func until(_ isSo: @escaping @Sendable (SessionDouble) -> Bool) async throws {
        try await withTimeout(.patience, on: ContinuousClock(), throwing: VTError(.timedOut, "condition not met")) {
            () async throws(VTError) in
            while !isSo(self) {
                do { try await Task.sleep(for: .milliseconds(1)) } catch { throw .cancelled }
            }
        }
    }

    // MARK: - Interface to the channel

    func answer(_ frame: SessionFrame, on channel: DoubleChannel) {
        state.update { state in
            switch frame {
            case .hello:
                let features = state.features
                channel.tell(
                    .hello(protocolNumber: SessionFrame.protocolNumber, features: features, version: "1")
                )
            case .colors(let colors): state.colors = colors
            case .redraw: state.redraws += 1
            case .marker:
                state.markers += 1
                channel.tell(.accepted(sequence: 0, offset: UInt64(state.output.count)))
            case .status: channel.tell(.record(Self.record(outputBytes: state.output.count)))
            case .attach(let attachment): attach(attachment, channel, &state)
            case .input(let sequence, _, let bytes):
                if sequence > state.lastInputs[channel.token, default: 0] {
                    state.typed += bytes
                    state.lastInputs[channel.token] = sequence
                }
                if !state.isSilent { channel.tell(.accepted(sequence: sequence, offset: UInt64(state.output.count))) }
            case .resize(let size?):
                state.size = size
                state.sizes.append(size)
                for channel in state.channels { channel.tell(.resized(size)) }
                channel.tell(.done)
            default: break
            }
        }
    }

    private func attach(
        _ attachment: SessionFrame.Attachment,
        _ channel: DoubleChannel,
        _ state: inout State
    ) {
        channel.setToken(attachment.token)
        state.attachments.append(attachment)
        if let size = attachment.size { state.size = size }
        let end = UInt64(state.output.count)
        channel.tell(
            .attached(
                offset: attachment.from ?? end,
                lastInput: state.lastInputs[attachment.token, default: 0],
                size: state.size
            )
        )
        if let from = attachment.from {
            if from < end { channel.tell(.output(offset: from, bytes: Array(state.output[Int(from)...]))) }
        } else {
            channel.tell(.screen(offset: end, bytes: Array("<screen>".utf8)))
        }
        state.channels.append(channel)
        if let exit = state.exit { channel.tell(.exit(exit, offset: end), isLast: true) }
    }

    private static func record(outputBytes: Int) -> Session {
        var record = Session.example
        record.outputBytes = UInt64(outputBytes)
        return record
    }
}

/// The client's end of a connection to a session double.
final class DoubleChannel: SessionChannel {
    private struct State {
        var decoder = SessionFrameDecoder()
        var token: [UInt8] = []
    }

    private let holder: SessionDouble
    private let state = Mutex(State())
    /// The frames that have not been read, and what follows them; nil while the connection is open.
    private let answers = Monitor<(frames: [SessionFrame], end: Result<Void, VTError>?)>(([], nil))

    init(_ holder: SessionDouble) {
        self.holder = holder
    }

    var token: [UInt8] { state.withLock { $0.token } }

    func setToken(_ token: [UInt8]) {
        state.withLock { $0.token = token }
    }

    func tell(_ frame: SessionFrame, isLast: Bool = false) {
        answers.update { answers in
            guard answers.end == nil else { return }
            answers.frames.append(frame)
            if isLast { answers.end = .success(()) }
        }
    }

    func end(_ end: Result<Void, VTError>) {
        answers.update { $0.end = $0.end ?? end }
    }

    func read() async throws(VTError) -> [UInt8]? {
        let next = try await answers.wait { answers -> Result<[UInt8]?, VTError>? in
            guard answers.frames.isEmpty else { return .success(answers.frames.removeFirst().encoded) }
            return answers.end?.map { nil }
        }
        return try next.get()
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        guard answers.withLock({ $0.end == nil }) else { throw VTError(.hostUnreachable, "the connection is closed") }
        state.withLock { $0.decoder.append(bytes) }
        while let frame = try state.withLock({ state throws(VTError) in try state.decoder.next() }) {
            holder.answer(frame, on: self)
        }
    }

    func close() async {
        end(.success(()))
    }
}

extension Session {
    /// A running session.
    static var example: Session {
        guard let id = SessionID("0123456789ab") else { preconditionFailure("invalid session ID") }
        return Session(
            id: id,
            name: "build",
            state: .running,
            command: ["sh"],
            directory: "/",
            size: .standard,
            terminalType: "xterm",
            createdAt: Timestamp.now(),
            host: "here",
            bootID: "1",
            version: "1"
        )
    }
}
