import Core
import POSIX

/// The keys that were pressed and not yet acted upon.
final class PlayKeys: Sendable {
    private let pressed = Monitor<[PlayKey]>([])

    /// More than these are forgotten: nobody means what was pressed so long before.
    private static let limit = 64

    /// Reads keys until the input ends or the task is cancelled.
    func listen(to input: any ByteSource) -> Task<Void, Never> {
        Task {
            // An input that fails has no more keys, and the recording goes on.
            while let bytes = try? await input.read() {
                pressed.update { $0 = Array(($0 + PlayKey.keys(in: bytes)).prefix(Self.limit)) }
            }
        }
    }

    /// Takes each request to stop the process for a key.
    func listen(to suspensions: AsyncStream<Void>) -> Task<Void, Never> {
        Task {
            for await _ in suspensions { pressed.update { $0.append(.suspend) } }
        }
    }

    /// Returns the next key that was pressed already.
    func take() -> PlayKey? {
        pressed.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Waits for a key.
    func next() async throws(VTError) -> PlayKey {
        try await pressed.wait { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
