import Glibc
import Synchronization

/// Secret bytes that are wiped when the last reference is released.
final class WipedBytes: Sendable {
    let count: Int
    private let storage: Mutex<[UInt8]>

    init(copying bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        let terminated = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count + 1) { buffer, count in
            _ = unsafe buffer.update(fromContentsOf: bytes)
            unsafe buffer[bytes.count] = 0
            count = bytes.count + 1
        }
        storage = Mutex(terminated)
    }

    deinit {
        storage.withLock { $0.wipe() }
    }

    /// Passes the bytes to `body`; a zero follows them, because libssh2 1.10 looks for the end of a key.
    func withBytes<Result: Sendable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withLock { bytes in
            unsafe bytes.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
        }
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
