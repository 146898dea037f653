import Glibc
import Synchronization

/// Secret bytes that are wiped when the last reference is released.
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

    /// Passes the bytes to `body`.
    func withBytes<Result: Sendable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withLock { unsafe $0.withUnsafeBytes(body) }
    }
}

extension [UInt8] {
    /// Wipes and removes the bytes; the corresponding C function is `explicit_bzero`.
    mutating func wipe() {
        unsafe withUnsafeMutableBytes { buffer in
            if let base = buffer.baseAddress { unsafe explicit_bzero(base, buffer.count) }
        }
        removeAll()
    }
}
