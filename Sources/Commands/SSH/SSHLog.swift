import Core
import Glibc
import System

/// Diagnostics that are appended to a file instead of being printed on standard error (ssh(1), `-E`).
final class SSHLog: Diagnostics {
    private let file: FileDescriptor
    private let isQuiet: Bool
    private let isVerbose: Bool

    /// - Throws: `io` if the file cannot be opened.
    init(appendingTo path: String, quiet: Bool, verbosity: Int) throws(VTError) {
        file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o666)
        isQuiet = quiet
        isVerbose = verbosity > 0
    }

    func note(_ message: String) {
        if !isQuiet { failure(message) }
    }

    func failure(_ message: String) {
        write("vt: \(message.sanitized)\n")
    }

    func detail(_ message: @autoclosure () -> String) {
        if isVerbose { failure(message()) }
    }

    /// Appends text; as with standard error, a failure to do so is not a failure of the run.
    func write(_ text: String) {
        _ = BlockingIO.write(file.number, Array(text.utf8))
    }
}
