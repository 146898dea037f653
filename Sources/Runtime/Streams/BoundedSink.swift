import Core
import Synchronization

/// Keeps the first `limitBytes` bytes and discards the rest.
package final class BoundedSink: ByteSink {
    private let kept = Mutex<(bytes: [UInt8], isCut: Bool)>(([], false))
    private let limitBytes: Int

    package init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    package var bytes: [UInt8] { kept.withLock { $0.bytes } }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether any bytes were discarded.
    package var isCut: Bool { kept.withLock { $0.isCut } }

    package func write(_ more: [UInt8]) async throws(VTError) {
        kept.withLock { kept in
            let room = limitBytes - kept.bytes.count
            kept.bytes += more.prefix(room)
            kept.isCut = kept.isCut || more.count > room
        }
    }
}
