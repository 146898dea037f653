import Core
import Synchronization
import System

/// A source that returns bytes from memory.
final class BytesSource: ByteSource {
    private let rest: Mutex<ArraySlice<UInt8>>

    private static let pieceBytes = 128 << 10

    init(_ bytes: [UInt8]) {
        rest = Mutex(bytes[...])
    }

    func read() async throws(VTError) -> [UInt8]? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(Self.pieceBytes) }
            return Array(rest.prefix(Self.pieceBytes))
        }
    }
}
