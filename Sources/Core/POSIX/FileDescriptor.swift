import CPTY
import Glibc

/// An open file descriptor with one owner, closed exactly once.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The number, valid as long as the owner lives.
    package let number: CInt

    /// Takes over the descriptor.
    package init(owning number: CInt) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Hands the descriptor over; the caller closes it.
    package consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    /// Opens a file with close-on-exec set, its class of failure following from errno.
    ///
    /// The corresponding C function is `open`.
    package static func open(
        _ path: String,
        _ flags: CInt,
        mode: mode_t = 0o600,
        fallback: ExitCode = .io
    ) throws(VTError) -> FileDescriptor {
        while true {
            let number = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
            if number >= 0 { return FileDescriptor(owning: number) }
            guard errno == EINTR else { throw .system(errno, "cannot open '\(path)'", fallback: fallback) }
        }
    }

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
    package static func socketPair() throws(VTError) -> DescriptorPair {
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
        guard result == 0 else { throw .system(errno, "cannot make \(what)", fallback: .system) }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return DescriptorPair(first: FileDescriptor(owning: numbers[0]), second: FileDescriptor(owning: numbers[1]))
    }
}

/// Two descriptors that belong together: of a pipe, first the end to read from.
package struct DescriptorPair: ~Copyable, Sendable {
    package let first: FileDescriptor
    package let second: FileDescriptor

    /// Hands the first descriptor over and closes the second.
    package consuming func releaseFirst() -> CInt {
        first.release()
    }

    /// Hands the second descriptor over and closes the first.
    package consuming func releaseSecond() -> CInt {
        second.release()
    }
}
