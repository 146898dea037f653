import Core
import Synchronization

/// Stores the bytes written to it.
package final class MemorySink: ByteSink {
    private let taken = Mutex<[UInt8]>([])

    package init() {}

    package var bytes: [UInt8] { taken.withLock { $0 } }

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        taken.withLock { $0 += bytes }
    }
}
