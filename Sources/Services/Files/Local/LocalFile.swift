import Core
import Glibc
import Runtime
import System

/// An open file on this machine; the descriptor is closed when the last reference is released.
final class LocalFile: RandomAccessFile {
    private let descriptor: FileDescriptor
    /// The path in messages.
    private let path: ByteString
    /// Writes large pieces, so that more data can be received and decrypted in the meantime.
    private let writer: WorkerThread

    /// The minimum size of a large piece; writing a smaller one takes less time than waking a thread.
    private static let largeBytes = 64 << 10

    init(_ descriptor: consuming FileDescriptor, path: ByteString, writer: WorkerThread) {
        self.descriptor = descriptor
        self.path = path
        self.writer = writer
    }

    /// The corresponding C function is `pread`; `read` for files that have no offset, such as a pipe.
    func read(at offset: UInt64, limit: Int) async throws(VTError) -> [UInt8] {
        let number = descriptor.number
        let (bytes, failure) = unsafe BlockingIO.bytes(limit: limit) { buffer in
            let result = unsafe pread(number, buffer, limit, off_t(clamping: offset))
            return result < 0 && errno == ESPIPE ? unsafe Glibc.read(number, buffer, limit) : result
        }
        guard failure == 0 else { throw .system(failure, "cannot read '\(path.repairedText)'") }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        let isLarge = bytes.count >= Self.largeBytes
        let failure = isLarge ? await writer.run { self.write(all: bytes, at: offset) } : write(all: bytes, at: offset)
        guard failure == 0 else { throw .system(failure, "cannot write '\(path.repairedText)'") }
    }

    /// Returns the errno.
    private func write(all bytes: [UInt8], at offset: UInt64) -> CInt {
        let number = descriptor.number
        return unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                let place = off_t(clamping: offset) + off_t(written)
                let result = unsafe pwrite(number, rest.baseAddress, rest.count, place)
                if result < 0 && errno == EINTR { continue }
                // Retrying after a result of 0 could loop forever.
                guard result > 0 else { return result == 0 ? EIO : errno }
                written += result
            }
            return 0
        }
    }

    /// SEEK_DATA and SEEK_HOLE, which glibc defines only for programs that enable its extensions; the values are from
    /// linux/fs.h.
    private static let (seekData, seekHole): (CInt, CInt) = (3, 4)

    /// The corresponding C function is `lseek` with SEEK_DATA and SEEK_HOLE.
    func data(from offset: UInt64) async throws(VTError) -> Range<UInt64>? {
        let start = lseek(descriptor.number, off_t(clamping: offset), Self.seekData)
        guard start >= 0 else {
            // ENXIO means that there is no more data; any other error means that the file system does not report holes.
            return errno == ENXIO ? nil : offset..<UInt64.max
        }
        let end = lseek(descriptor.number, start, Self.seekHole)
        return UInt64(start)..<(end > start ? UInt64(end) : UInt64.max)
    }

    func attributes() async throws(VTError) -> FileAttributes {
        var status = stat()
        guard unsafe fstat(descriptor.number, &status) == 0 else {
            throw .system(errno, "cannot examine '\(path.repairedText)'")
        }
        return FileAttributes(status)
    }

    func close(after changes: FileAttributeChanges, needsAttributes _: Bool) async throws(VTError) -> ClosedFile {
        var failure: CInt = 0
        if let owner = changes.owner, fchown(descriptor.number, owner.userID, owner.groupID) != 0 { failure = errno }
        if let mode = changes.mode, fchmod(descriptor.number, mode_t(mode)) != 0 { failure = errno }
        if let times = changes.times?.values, unsafe futimens(descriptor.number, times) != 0 { failure = errno }
        let what = "cannot change the attributes of '\(path.repairedText)'"
        return ClosedFile(
            attributes: try await attributes(),
            failedChange: failure == 0 ? nil : .system(failure, what)
        )
    }
}
