import Core
import Glibc

/// An unnamed temporary file, deleted when the last reference is released.
package final class SpoolFile: Sendable {
    private let descriptor: FileDescriptor

    /// Creates the file in `$TMPDIR` or `/tmp`; throws `cannot-create`.
    ///
    /// The corresponding C function is `mkstemp`, immediately followed by `unlink`.
    package init() throws(VTError) {
        let directory = Environment.process["TMPDIR"] ?? "/tmp"
        var path = Array("\(directory)/vt-XXXXXX".utf8CString)
        let number = unsafe path.withUnsafeMutableBufferPointer { path in
            guard let name = path.baseAddress else { return CInt(-1) }
            let number = unsafe mkstemp(name)
            if number >= 0 { unsafe unlink(name) }
            return number
        }
        guard number >= 0 else {
            throw .system(errno, "cannot create a temporary file in '\(directory)'", fallback: .cannotCreate)
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        descriptor = FileDescriptor(owning: number)
    }

    /// Appends bytes.
    package func append(_ bytes: [UInt8]) throws(VTError) {
        let failure = BlockingIO.write(descriptor.number, bytes)
        guard failure == 0 else { throw .system(failure, "cannot write a temporary file") }
    }

    /// Deallocates a range of the file, which is not read again; without support by the file system, does nothing.
    package func release(_ range: Range<Int64>) {
        _ = FileSpace.release(descriptor.number, UInt64(range.lowerBound)..<UInt64(range.upperBound))
    }

    /// Reads at most `limit` bytes at an offset.
    package func read(at offset: Int64, limit: Int) throws(VTError) -> [UInt8] {
        let (bytes, failure) = unsafe BlockingIO.bytes(limit: limit) {
            unsafe pread(descriptor.number, $0, limit, off_t(offset))
        }
        guard failure == 0 else { throw .system(failure, "cannot read a temporary file") }
        return bytes
    }
}
