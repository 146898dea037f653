import Core
import Glibc

/// An open file descriptor with one owner, closed exactly once.
package struct FileDescriptor: ~Copyable, Sendable {
    /// The descriptor number, valid during the owner's lifetime.
    package let number: CInt

    /// Takes ownership of the descriptor.
    package init(owning number: CInt) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Releases the descriptor; the caller must close it.
    package consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }

    /// Opens a file with close-on-exec set; the error code is derived from errno.
    ///
    /// `what` is the message of the error without the reason, by default `cannot open 'PATH'`. The corresponding C
    /// function is `open`.
    package static func open(
        _ path: String,
        _ flags: CInt,
        mode: mode_t = 0o600,
        doing what: String? = nil,
        fallback: VTError.Code = .io
    ) throws(VTError) -> FileDescriptor {
        while true {
            let number = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
            if number >= 0 { return FileDescriptor(owning: number) }
            guard errno == EINTR else { throw .system(errno, what ?? "cannot open '\(path)'", fallback: fallback) }
        }
    }

    /// Opens a file for reading without blocking on a FIFO; a FIFO without a writer reads as empty.
    ///
    /// A blocking open of such a FIFO could be interrupted only by KILL, because signals are handled on another thread
    /// (open(2), fifo(7)).
    package static func openForReading(_ path: String) throws(VTError) -> FileDescriptor {
        let file = try open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        let flags = fcntl(file.number, F_GETFL)
        guard flags >= 0, fcntl(file.number, F_SETFL, flags & ~O_NONBLOCK) == 0 else {
            throw .system(errno, "cannot open '\(path)'")
        }
        return file
    }

    /// Whether the process can open `count` more descriptors; for code that cannot report that none are left.
    package static func areFree(_ count: Int) -> Bool {
        var numbers: [CInt] = []
        defer { for number in numbers { close(number) } }
        for _ in 0..<count {
            let number = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { return false }
            numbers.append(number)
        }
        return true
    }

    /// The error to report if no descriptors are left.
    package static var tooMany: VTError {
        VTError(
            .system,
            "cannot open files: \(systemErrorText(EMFILE))",
            hint: "raise the limit, for example with 'ulimit -n 1024'"
        )
    }
}
