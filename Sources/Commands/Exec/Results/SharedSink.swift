import Core
import Runtime

/// A sink that several tasks can write to; each write is atomic.
final class SharedSink: ByteSink {
    private let sink: any ByteSink
    private let lock = AsyncLock()

    init(_ sink: any ByteSink) {
        self.sink = sink
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await lock.withLock { () async throws(VTError) in try await sink.write(bytes) }
    }
}
