import Core
import Glibc

/// The three descriptors that every process is given.
package enum StandardStream: CInt, CaseIterable, Sendable {
    case input = 0
    case output = 1
    case errorOutput = 2

    /// The phrase that messages use.
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

    /// The size of the terminal, or nil where there is none or it does not know.
    ///
    /// The corresponding C function is `ioctl` with TIOCGWINSZ.
    package var terminalSize: TerminalSize? {
        var size = winsize()
        guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Tells whether the stream is open for writing; the corresponding C function is `fcntl` with F_GETFL.
    ///
    /// - Throws: `io` when it is not.
    package func checkIsWritable() throws(VTError) {
        let flags = fcntl(rawValue, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { throw Self.failed("write", self, EBADF) }
    }

    /// Whether the stream is a pipe or a socket that nobody reads any more; the corresponding C function is `poll`.
    package var hasLostReader: Bool {
        var request = pollfd(fd: rawValue, events: 0, revents: 0)
        return unsafe poll(&request, 1, 0) == 1 && request.revents & Int16(POLLERR) != 0
    }

    /// Writes all bytes; blocks until they are taken.
    package func write(_ bytes: [UInt8]) throws(VTError) {
        let failure = BlockingIO.write(rawValue, bytes)
        guard failure == 0 else { throw Self.failed("write", self, failure) }
    }

    /// Closes the stream, which may tell of an earlier write that did not reach the disk.
    ///
    /// The corresponding C function is `close`.
    package func close() throws(VTError) {
        guard Glibc.close(rawValue) != 0, errno != EINTR else { return }
        throw Self.failed("close", self, errno)
    }

    /// Occupies the descriptors among the three that the process was started without.
    ///
    /// Otherwise the next file to be opened would get the number, and take what is meant for the user. They are opened
    /// the wrong way round, so that using them still fails.
    package static func occupyClosed() {
        for stream in allCases where fcntl(stream.rawValue, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is this one, as those below are open by now.
            _ = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
        }
    }

    private static func failed(_ verb: String, _ stream: StandardStream, _ errorNumber: CInt) -> VTError {
        VTError(.io, "cannot \(verb) \(stream.name): \(systemErrorText(errorNumber))")
    }
}
