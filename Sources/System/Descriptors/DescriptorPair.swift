import CLinux
import Core
import Glibc

/// Two related descriptors, such as the ends of a pipe.
package struct DescriptorPair: ~Copyable, Sendable {
    /// The read end of a pipe, or the master side of a terminal.
    package let first: FileDescriptor
    package let second: FileDescriptor

    /// Creates a pipe with both ends close-on-exec.
    ///
    /// The corresponding C function is `pipe`. Programs that another thread starts concurrently do not inherit the
    /// ends, because `ChildProcess` passes no descriptors except the program's streams.
    package static func pipe() throws(VTError) -> DescriptorPair {
        try unsafe pair("a pipe") { unsafe Glibc.pipe($0) }
    }

    /// Creates a pair of connected stream sockets, both close-on-exec.
    package static func sockets() throws(VTError) -> DescriptorPair {
        try unsafe pair("a socket pair") { unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, $0) }
    }

    /// Opens a pseudo-terminal pair of this size, both ends close-on-exec; the first is the master side.
    package static func terminal(_ size: TerminalSize) throws(VTError) -> DescriptorPair {
        var failure: CInt = 0
        return try unsafe pair("a terminal") { numbers in
            failure = unsafe cpty_open(numbers, numbers + 1, UInt16(size.columns), UInt16(size.rows))
            errno = failure
            return failure == 0 ? 0 : -1
        }
    }

    private static func pair(
        _ what: String,
        _ make: (UnsafeMutablePointer<CInt>) -> CInt
    ) throws(VTError) -> DescriptorPair {
        var numbers: [CInt] = [-1, -1]
        let result = unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return CInt(-1) }
            return unsafe make(base)
        }
        guard result == 0 else { throw .system(errno, "cannot create \(what)", fallback: .system) }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return DescriptorPair(first: FileDescriptor(owning: numbers[0]), second: FileDescriptor(owning: numbers[1]))
    }

    /// Releases the first descriptor to the caller and closes the second.
    package consuming func releaseFirst() -> CInt {
        first.release()
    }

    /// Releases the second descriptor to the caller and closes the first.
    package consuming func releaseSecond() -> CInt {
        second.release()
    }

    /// Releases both descriptors to the caller.
    package consuming func release() -> (first: CInt, second: CInt) {
        (first.release(), second.release())
    }
}
