import Core
import Glibc

/// Blocking reads and writes on a descriptor that another process might have made non-blocking.
package enum BlockingIO {
    /// Reads once, at most `limit` bytes; an empty result means end of file.
    ///
    /// A closed descriptor counts as end of file, and so does EIO, which Linux returns when no process has the other
    /// side of a pseudo-terminal open. The corresponding C function is `read`.
    package static func read(_ descriptor: CInt, limit: Int) throws(VTError) -> [UInt8] {
        while true {
            let (bytes, failure) = unsafe bytes(limit: limit) { unsafe Glibc.read(descriptor, $0, limit) }
            switch failure {
            case 0: return bytes
            case EAGAIN: wait(descriptor, for: POLLIN)
            case EBADF, EIO: return []
            default: throw .system(failure, "cannot read")
            }
        }
    }

    /// Calls a function that reads once, at most `limit` bytes, like read(2), again if a signal interrupts it; returns the
    /// bytes, and the errno of a failure or 0.
    package static func bytes(
        limit: Int,
        _ read: (UnsafeMutablePointer<UInt8>?) -> Int
    ) -> (bytes: [UInt8], failure: CInt) {
        var failure: CInt = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var result = unsafe read(buffer.baseAddress)
            while result < 0, errno == EINTR { result = unsafe read(buffer.baseAddress) }
            failure = result < 0 ? errno : 0
            count = max(0, result)
        }
        return (bytes, failure)
    }

    /// Reads a system file; throws errors of `FileDescriptor.openForReading` and `read`.
    static func contents(of path: String) throws(VTError) -> [UInt8] {
        let file = try FileDescriptor.openForReading(path)
        return try readToEnd(file.number)
    }

    /// Reads to the end of the file.
    ///
    /// - Throws: `timed-out` when the deadline passes first; errors of `read`.
    static func readToEnd(
        _ descriptor: CInt,
        deadline: ContinuousClock.Instant? = nil
    ) throws(VTError) -> [UInt8] {
        var contents: [UInt8] = []
        while true {
            if let deadline, !wait(descriptor, for: POLLIN, until: deadline) {
                throw VTError(.timedOut, "cannot read: the writer sent nothing within the timeout")
            }
            let bytes = try read(descriptor, limit: 65_536)
            if bytes.isEmpty { return contents }
            contents += bytes
        }
    }

    /// Writes all bytes; returns 0, or the errno of the first failure.
    package static func write(_ descriptor: CInt, _ bytes: [UInt8]) -> CInt {
        write(descriptor, bytes[...])
    }

    package static func write(_ descriptor: CInt, _ bytes: ArraySlice<UInt8>) -> CInt {
        unsafe bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
                let result = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if result >= 0 {
                    offset += result
                } else if errno == EAGAIN {
                    wait(descriptor, for: POLLOUT)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    /// Waits until a read (`POLLIN`) or write (`POLLOUT`) would not block; see poll(2).
    package static func wait(_ descriptor: CInt, for events: CInt) {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while unsafe poll(&request, 1, -1) < 0, errno == EINTR {}
    }

    /// Like `wait(_:for:)`, but returns false if the deadline passes first.
    package static func wait(
        _ descriptor: CInt,
        for events: CInt,
        until deadline: ContinuousClock.Instant
    ) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let rest = max(.zero, deadline - .now) / .milliseconds(1)
            let count = unsafe poll(&request, 1, CInt(rest.rounded(.up)))
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { return true }
        }
    }
}
