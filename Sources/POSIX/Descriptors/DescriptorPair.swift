import CPTY
import Core
import Glibc

/// Two descriptors that belong together.
package struct DescriptorPair: ~Copyable, Sendable {
    /// Of a pipe the end to read from, of a terminal the master side.
    package let first: FileDescriptor
    package let second: FileDescriptor

    /// Makes a pipe, both ends close-on-exec.
    ///
    /// The corresponding C function is `pipe`. A program that another thread starts in between does not inherit the ends
    /// either: `ChildProcess` closes all that it is not given.
    package static func pipe() throws(VTError) -> DescriptorPair {
        try unsafe pair("a pipe") { unsafe Glibc.pipe($0) }
    }

    /// Makes a pair of connected stream sockets, both close-on-exec.
    ///
    /// The corresponding C function is `socketpair`.
    package static func sockets() throws(VTError) -> DescriptorPair {
        try unsafe pair("a socket pair") { unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, $0) }
    }

    /// Opens a terminal pair of this size, both ends close-on-exec; the first is the master side.
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

    /// Hands the first descriptor over and closes the second.
    package consuming func releaseFirst() -> CInt {
        first.release()
    }

    /// Hands the second descriptor over and closes the first.
    package consuming func releaseSecond() -> CInt {
        second.release()
    }

    /// Hands both descriptors over.
    package consuming func release() -> (first: CInt, second: CInt) {
        (first.release(), second.release())
    }
}
