import Core
import Glibc
import System

/// A file, or standard input, that is read from start to end, once or several times.
///
/// Input that cannot be rewound, such as a pipe, is copied to a temporary file during the first pass if it is to be
/// read again.
package final class InputFile {
    /// The name in messages: `'x.cast'`, or `standard input`.
    package let name: String
    /// The number of bytes to read; nil if the input is not a regular file.
    package let byteCount: Int64?
    /// The number of bytes that `read` has returned since the start.
    package private(set) var position: Int64 = 0

    private let descriptor: FileDescriptor
    private let beginning: off_t?
    private let spool: SpoolFile?
    private var isSpooled = false

    /// Opens a file, or standard input for `-`.
    ///
    /// `rewind` may be called only if `isReadAgain` is true.
    ///
    /// - Throws: `not-found`, `io` when it cannot be opened, and `cannot-create` when the temporary file cannot be
    ///   created.
    package init(opening path: String, isReadAgain: Bool = false) throws(VTError) {
        if path == "-" {
            name = StandardStream.input.name
            descriptor = FileDescriptor(owning: fcntl(StandardStream.input.rawValue, F_DUPFD_CLOEXEC, 3))
        } else {
            name = "'\(path)'"
            descriptor = try FileDescriptor.open(path, O_RDONLY)
        }
        var status = stat()
        let isKnown = unsafe fstat(descriptor.number, &status) == 0
        guard !isKnown || status.st_mode & S_IFMT != S_IFDIR else {
            throw VTError(.io, "cannot read \(name): it is a directory")
        }
        let isFile = isKnown && status.st_mode & S_IFMT == S_IFREG
        // Standard input can be positioned in the middle of a file, if another program has already read from it.
        let start = isFile ? lseek(descriptor.number, 0, SEEK_CUR) : -1
        beginning = start >= 0 ? start : nil
        byteCount = start >= 0 ? max(Int64(status.st_size) - Int64(start), 0) : nil
        spool = start < 0 && isReadAgain ? try SpoolFile() : nil
    }

    /// Whether a path refers to a regular file; the corresponding C function is `stat`.
    package static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns the next bytes, at most `limit`; none at the end.
    ///
    /// Unlike `BlockingIO`, never treats an error as the end of the file. The corresponding C function is `read`.
    package func read(limit: Int = 256 << 10) throws(VTError) -> [UInt8] {
        if isSpooled, let spool {
            let bytes = try spool.read(at: position, limit: limit)
            position += Int64(bytes.count)
            return bytes
        }
        while true {
            let (bytes, failure) = unsafe BlockingIO.bytes(limit: limit) {
                unsafe Glibc.read(descriptor.number, $0, limit)
            }
            switch failure {
            case 0:
                position += Int64(bytes.count)
                try spool?.append(bytes)
                return bytes
            case EAGAIN:
                var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
                unsafe poll(&request, 1, -1)
            default: throw .system(failure, "cannot read \(name)")
            }
        }
    }

    /// Returns a stream of the unread bytes, which a separate thread reads.
    ///
    /// The corresponding C function is `fcntl` with F_DUPFD_CLOEXEC.
    package func stream() throws(VTError) -> ThreadedInput {
        let copy = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .system(errno, "cannot read \(name)") }
        return ThreadedInput(copy, closesDescriptor: true)
    }

    /// Returns to the start; input that is not a regular file must have been read to its end.
    package func rewind() throws(VTError) {
        position = 0
        guard let beginning else {
            isSpooled = true
            return
        }
        guard lseek(descriptor.number, beginning, SEEK_SET) >= 0 else {
            throw .system(errno, "cannot reread \(name)")
        }
    }
}
