import Core
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
        fallback: VTError.Code = .io
    ) throws(VTError) -> FileDescriptor {
        while true {
            let number = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
            if number >= 0 { return FileDescriptor(owning: number) }
            guard errno == EINTR else { throw .system(errno, "cannot open '\(path)'", fallback: fallback) }
        }
    }

    /// Opens a file for reading without waiting for the writer of a FIFO; one that nobody writes to is then empty.
    ///
    /// A blocking open of such a FIFO ends only by KILL once signals are handled (open(2), fifo(7)).
    package static func openForReading(_ path: String) throws(VTError) -> FileDescriptor {
        let file = try open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        let flags = fcntl(file.number, F_GETFL)
        guard flags >= 0, fcntl(file.number, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
            throw .system(errno, "cannot open '\(path)'")
        }
        return file
    }
}
