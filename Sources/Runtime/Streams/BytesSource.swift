import Core
import Synchronization

/// A source that returns bytes from memory.
package final class BytesSource: ByteSource {
    private let bytes: [UInt8]
    private let progress: @Sendable (_ sent: Int, _ total: Int) -> Void
    private let offset = Mutex(0)

    private static let pieceBytes = 256 << 10

    /// `progress` is called before each read.
    package init(
        _ bytes: [UInt8] = [],
        progress: @escaping @Sendable (_ sent: Int, _ total: Int) -> Void = { _, _ in }
    ) {
        self.bytes = bytes
        self.progress = progress
    }

    package func read() async throws(VTError) -> [UInt8]? {
        let start = offset.withLock { $0 }
        progress(start, bytes.count)
        guard start < bytes.count else { return nil }
        let piece = Array(bytes[start...].prefix(Self.pieceBytes))
        offset.withLock { $0 = start + piece.count }
        return piece
    }
}
