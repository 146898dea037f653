import Core
import Synchronization

/// A sink that counts the bytes that it passes on.
final class CountingSink: ByteSink {
    private let sink: any ByteSink
    private let total = Mutex(0)

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    var count: Int { total.withLock { $0 } }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        total.withLock { $0 += bytes.count }
        try await sink.write(bytes)
    }
}
