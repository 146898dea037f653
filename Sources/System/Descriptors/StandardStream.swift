import Core
import Glibc

/// A standard stream of this process.
package enum StandardStream: CInt, CaseIterable, Sendable {
    case input = 0
    case output = 1
    case errorOutput = 2

    /// The name in messages.
    package var name: String {
        switch self {
        case .input: "standard input"
        case .output: "standard output"
        case .errorOutput: "standard error"
        }
    }

    package var isTerminal: Bool {
        isatty(rawValue) == 1
    }

    /// The size of the terminal; nil if the stream is not a terminal or its size is unknown.
    ///
    /// The corresponding C function is `ioctl` with TIOCGWINSZ.
    package var terminalSize: TerminalSize? {
        var size = winsize()
        guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Checks that the stream is open for reading; the corresponding C function is `fcntl` with F_GETFL.
    ///
    /// - Throws: `io` when it is not.
    package func checkIsReadable() throws(VTError) {
        let flags = fcntl(rawValue, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_WRONLY else { throw failed("read", EBADF) }
    }

    /// Checks that the stream is open for writing; the corresponding C function is `fcntl` with F_GETFL.
    ///
    /// - Throws: `io` when it is not.
    package func checkIsWritable() throws(VTError) {
        let flags = fcntl(rawValue, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { throw failed("write to", EBADF) }
    }

    /// Writes all bytes; blocks until they are written.
    package func write(_ bytes: [UInt8]) throws(VTError) {
        let failure = BlockingIO.write(rawValue, bytes)
        guard failure == 0 else { throw failed("write to", failure) }
    }

    /// Closes the stream, which can report that an earlier write did not reach the disk.
    package func close() throws(VTError) {
        guard Glibc.close(rawValue) != 0, errno != EINTR else { return }
        throw failed("close", errno)
    }

    /// Opens `/dev/null` for each standard stream that was closed when the process started.
    ///
    /// Otherwise, the next file opened would get one of these numbers and receive output meant for the user. The
    /// descriptors are opened in the wrong mode, so that using them still fails.
    package static func occupyClosed() {
        for stream in allCases where fcntl(stream.rawValue, F_GETFD) == -1 && errno == EBADF {
            // The new descriptor gets this number, because all lower ones are open by now.
            _ = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
        }
    }

    /// The error for a call that failed with `errorNumber`.
    package func failed(_ verb: String, _ errorNumber: CInt) -> VTError {
        VTError(.io, "cannot \(verb) \(name): \(systemErrorText(errorNumber))")
    }
}
