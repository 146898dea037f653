import Core
import Runtime
import System

/// Sorts the frames of one command: requests, input, terminal sizes, signals and secrets.
///
/// Frames are read as soon as they arrive, so that the end of the command is noticed immediately; input is bounded by
/// the credit that the command was given.
final class MuxMailbox: Sendable {
    private struct State {
        var requests: [MuxFrame] = []
        var input: [[UInt8]] = []
        var inputBytes = 0
        var hasInputEnded = false
        /// The `secret` that the command has sent last; nil once it has been used.
        var secret: MuxFrame?
        var isClosed = false
    }

    let channel: FrameChannel
    /// The sizes to which the command resizes the program's terminal.
    private let sizes: AsyncStream<TerminalSize>
    private let resize: AsyncStream<TerminalSize>.Continuation
    /// The signals that the command sends to the program.
    private let signals: AsyncStream<SignalName>
    private let signal: AsyncStream<SignalName>.Continuation
    private let state = Monitor(State())

    /// The maximum number of requests that wait for an answer; commands send one at a time.
    private static let requestLimit = 4
    /// The maximum number of signals that wait for the start of the program.
    private static let signalLimit = 4

    init(_ channel: FrameChannel) {
        self.channel = channel
        (sizes, resize) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.signalLimit))
    }

    /// Reads frames until the command has closed its side or sent something invalid.
    func fill() async {
        // An error, like the end of the stream, means that the command has failed or was killed.
        while let frame = try? await channel.receive() {
            let isValid: Bool
            switch frame {
            case .ping:
                await channel.send(.pong)
                isValid = true
            case .resize(let size):
                resize.yield(size)
                isValid = true
            case .signal(let name):
                signal.yield(name)
                isValid = true
            default: isValid = accept(frame)
            }
            guard isValid else { break }
        }
        resize.finish()
        signal.finish()
        state.update { $0.isClosed = true }
    }

    /// Stores a frame; false if the command has sent more than it may.
    private func accept(_ frame: MuxFrame) -> Bool {
        state.update { state in
            switch frame {
            case .input(let bytes):
                state.inputBytes += bytes.count
                if !bytes.isEmpty { state.input.append(bytes) }
            case .inputEnd: state.hasInputEnded = true
            case .secret: state.secret = frame
            default: state.requests.append(frame)
            }
            return state.inputBytes <= MuxFrame.inputWindowBytes && state.requests.count <= Self.requestLimit
        }
    }

    /// The streams of the program: those of the command.
    var streams: ProgramStreams {
        ProgramStreams(
            input: self,
            output: sink(isError: false),
            errorOutput: sink(isError: true),
            sizes: sizes,
            signals: signals
        )
    }

    private func sink(isError: Bool) -> CallbackSink {
        CallbackSink { [channel] bytes async throws(VTError) in
            await channel.sendOutput(bytes, isError: isError)
            if Task.isCancelled { throw .cancelled }
        }
    }

    /// Whether the command has ended the program's input.
    var hasInputEnded: Bool { state.withLock { $0.hasInputEnded } }

    // MARK: - Requests

    /// Returns the next request; nil after the last one, or if the task is canceled.
    func next() async -> MuxFrame? {
        try? await state.wait { state -> Result<MuxFrame, VTError>? in
            if !state.requests.isEmpty { return .success(state.requests.removeFirst()) }
            return state.isClosed ? .failure(.cancelled) : nil
        }.get()
    }

    /// Asks the command for a secret.
    ///
    /// - Throws: `VTError.cancelled` when the command has ended or the task is canceled.
    func secret(_ purpose: SecretKey.Purpose, depth: UInt8) async throws(VTError) -> Secret? {
        try await secret(.wantsSecret(purpose, depth: depth))
    }

    /// Sends a request for a secret, or a question to the user, and returns the answer.
    func secret(_ request: MuxFrame) async throws(VTError) -> Secret? {
        await channel.send(request)
        return try await state.wait { state -> Result<Secret?, VTError>? in
            if case .secret(let secret) = state.secret {
                state.secret = nil
                return .success(secret)
            }
            return state.isClosed ? .failure(.cancelled) : nil
        }.get()
    }
}

/// The command's input is the program's input.
extension MuxMailbox: ByteSource {
    func read() async throws(VTError) -> [UInt8]? {
        let bytes = try await state.wait { state -> Result<[UInt8]?, VTError>? in
            if !state.input.isEmpty {
                let bytes = state.input.removeFirst()
                state.inputBytes -= bytes.count
                return .success(bytes)
            }
            return state.hasInputEnded || state.isClosed ? .success(nil) : nil
        }.get()
        if let bytes { await channel.send(.credit(UInt32(bytes.count))) }
        return bytes
    }
}
