import Core
import Glibc
import System

/// Writes to sockets without raising SIGPIPE if the peer is gone.
extension UnixSocket {
    /// Writes all bytes, blocking if necessary; returns 0 or an errno.
    static func send(_ socket: CInt, _ bytes: [UInt8]) -> CInt {
        var offset = 0
        while offset < bytes.count {
            let result = sendSome(socket, bytes, from: offset, flags: 0)
            if result.failure == EINTR { continue }
            guard result.failure == 0 else { return result.failure }
            offset += result.count
        }
        return 0
    }

    /// Writes as many bytes as the socket accepts, with one call; by default, does not block.
    static func sendSome(
        _ socket: CInt,
        _ bytes: [UInt8],
        from start: Int,
        flags: CInt = CInt(MSG_DONTWAIT)
    ) -> (count: Int, failure: CInt) {
        let result = unsafe bytes.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
            return unsafe Glibc.send(socket, rest.baseAddress, rest.count, flags | CInt(MSG_NOSIGNAL))
        }
        return result < 0 ? (0, errno) : (result, 0)
    }
}
