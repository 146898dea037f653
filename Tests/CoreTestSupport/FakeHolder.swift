import Core
import Runtime
import Synchronization

/// The holder's end of a channel: sends a hello frame, and answers each frame according to a script.
package final class FakeHolder: SessionChannel {
    private struct State {
        var decoder = SessionFrameDecoder()
        /// Data that the client has not read yet, one element per read.
        var pending: [[UInt8]] = []
        var received: [SessionFrame] = []
        var isEnded = false
        var endsAfterAttach = false
        var isClosed = false
    }

    private let monitor = Monitor(State())
    private let answers: @Sendable (SessionFrame) -> [SessionFrame]
    private let busy: (@Sendable (FakeHolder) -> Void)?

    /// Sends no hello frame if `hello` is nil.
    ///
    /// The holder counts as busy if `busy`, which is called at each check, is given.
    package init(
        hello: SessionFrame? = .hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: "1.0"),
        answers: @escaping @Sendable (SessionFrame) -> [SessionFrame] = { _ in [] },
        busy: (@Sendable (FakeHolder) -> Void)? = nil
    ) {
        self.busy = busy
        self.answers = answers
        if let hello { monitor.withLock { $0.pending.append(hello.encoded) } }
    }

    /// The frames sent by the client, except its hello frame.
    package var received: [SessionFrame] {
        monitor.withLock { state in
            state.received.filter { if case .hello = $0 { false } else { true } }
        }
    }

    package var isClosed: Bool { monitor.withLock { $0.isClosed } }

    package var isPeerBusy: Bool {
        busy?(self)
        return busy != nil
    }

    /// Ends the channel once the client has read the answers to `attach`.
    package func endAfterAnswer() {
        monitor.withLock { $0.endsAfterAttach = true }
    }

    /// Sends bytes that the client did not request.
    package func say(_ bytes: [UInt8]) {
        monitor.update { $0.pending.append(bytes) }
    }

    /// Ends the channel after the pending data.
    package func end() {
        monitor.update { $0.isEnded = true }
    }

    package func read() async throws(VTError) -> [UInt8]? {
        try await monitor.wait { state -> [UInt8]?? in
            if !state.pending.isEmpty { return .some(state.pending.removeFirst()) }
            return state.isEnded || state.isClosed ? .some(nil) : nil
        }
    }

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        let frames = monitor.withLock { state -> Result<[SessionFrame], VTError> in
            state.decoder.append(bytes)
            var frames: [SessionFrame] = []
            do throws(VTError) {
                while let frame = try state.decoder.next() { frames.append(frame) }
            } catch {
                return .failure(error)
            }
            state.received += frames
            return .success(frames)
        }
        for frame in try frames.get() {
            for answer in answers(frame) { say(answer.encoded) }
            if case .attach = frame, monitor.withLock({ $0.endsAfterAttach }) { end() }
        }
    }

    package func close() async {
        monitor.update { $0.isClosed = true }
    }
}
