import Glibc
import Synchronization

/// Secret bytes that are overwritten when the last reference goes.
final class WipedBytes: Sendable {
    let count: Int
    private let storage: Mutex<[UInt8]>

    init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        storage = Mutex(unsafe Array(bytes))
    }

    deinit {
        storage.withLock { $0.wipe() }
    }

    /// Lends the bytes.
    func withBytes<Result: Sendable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withLock { unsafe $0.withUnsafeBytes(body) }
    }
}

extension [UInt8] {
    /// Overwrites the bytes and removes them; the corresponding C function is `explicit_bzero`.
    mutating func wipe() {
        unsafe withUnsafeMutableBytes { buffer in
            if let base = buffer.baseAddress { unsafe explicit_bzero(base, buffer.count) }
        }
        removeAll()
    }
}
