import Core
import Runtime

/// A queue of pressed keys.
final class PlayKeys: Sendable {
    private let pressed = Monitor<[PlayKey]>([])

    /// The maximum number of queued keys; further keys are discarded, because they would be stale when handled.
    private static let limit = 64

    /// Reads keys until the input ends or the task is canceled.
    func listen(to input: any ByteSource) -> Task<Void, Never> {
        Task.onCurrentExecutor { [pressed] in
            // After an input error, no more keys are read, and playback continues.
            while let bytes = try? await input.read() {
                pressed.update { $0 = Array(($0 + PlayKey.keys(in: bytes)).prefix(Self.limit)) }
            }
        }
    }

    /// Queues each request to stop the process as the key `suspend`.
    func listen(to suspensions: AsyncStream<Void>) -> Task<Void, Never> {
        Task.onCurrentExecutor { [pressed] in
            for await _ in suspensions { pressed.update { $0.append(.suspend) } }
        }
    }

    /// Returns the next key in the queue.
    func nextQueued() -> PlayKey? {
        pressed.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Waits for a key.
    func next() async throws(VTError) -> PlayKey {
        try await pressed.wait { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
