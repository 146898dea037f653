import Glibc

/// An open file with one owner; it is closed when the owner lets go.
package struct OpenFile: ~Copyable {
    private let descriptor: CInt
    /// What messages call the file.
    package let path: String

    /// Opens a file; it is closed on exec.
    ///
    /// `failure` is the class of an error whose number tells none. The corresponding C function is `open`.
    package init(
        opening path: String,
        _ flags: CInt,
        mode: mode_t = 0o600,
        failure: ExitCode = .io
    ) throws(VTError) {
        guard let descriptor = try Self.descriptor(path, flags, mode, failure: failure, missing: .refused) else {
            throw VTError(.internal, "'\(path)' has no descriptor")
        }
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a file for reading; nil when there is none.
    package init?(reading path: String) throws(VTError) {
        guard let descriptor = try Self.descriptor(path, O_RDONLY, 0, failure: .io, missing: .nothing) else {
            return nil
        }
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    private enum Missing { case nothing, refused }

    private static func descriptor(
        _ path: String,
        _ flags: CInt,
        _ mode: mode_t,
        failure: ExitCode,
        missing: Missing
    ) throws(VTError) -> CInt? {
        while true {
            let descriptor = unsafe open(path, flags | O_CLOEXEC, mode)
            if descriptor >= 0 { return descriptor }
            let number = errno
            if number == EINTR { continue }
            if number == ENOENT, missing == .nothing { return nil }
            throw .system(number, "cannot open '\(path)'", fallback: failure)
        }
    }

    /// Owner, mode, size and times; the corresponding C function is `fstat`.
    package func status() throws(VTError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .system(errno, "cannot examine '\(path)'")
        }
        return status
    }

    /// Sets the mode, whatever the umask; the corresponding C function is `fchmod`.
    package func setMode(_ mode: mode_t) throws(VTError) {
        guard fchmod(descriptor, mode) == 0 else {
            throw .system(errno, "cannot set the mode of '\(path)'", fallback: .cannotCreate)
        }
    }

    /// Takes the exclusive lock when it is free; the corresponding C function is `flock`.
    package func tryLock() throws(VTError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        let number = errno
        guard number == EWOULDBLOCK || number == EINTR else { throw .system(number, "cannot lock '\(path)'") }
        return false
    }

    /// Gives the lock up; the corresponding C function is `flock`.
    package func unlock() {
        flock(descriptor, LOCK_UN)
    }

    /// Cuts the file after so many bytes, as well as that goes; the corresponding C function is `ftruncate`.
    package func truncate(to count: Int) {
        _ = ftruncate(descriptor, count)
    }

    /// Reads from the present position to the end; more than `limit` bytes are refused with `config`.
    package func readToEnd(limit: Int) throws(VTError) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return contents }
            if count < 0 {
                let number = errno
                if number == EINTR { continue }
                throw VTError(.io, "cannot read '\(path)': \(systemErrorText(number))")
            }
            contents += buffer[..<count]
            guard contents.count <= limit else { throw VTError(.config, "'\(path)' is larger than \(limit) bytes") }
        }
    }

    /// Writes all bytes, as one `write` where the system takes them at once.
    package func writeAll(_ bytes: [UInt8]) throws(VTError) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes[start...].withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                let number = errno
                if number == EINTR { continue }
                throw .system(number, "cannot write '\(path)'")
            }
            start += count
        }
    }

    /// Returns when the contents are on the disk; the corresponding C function is `fsync`.
    package func synchronize() throws(VTError) {
        guard fsync(descriptor) == 0 else { throw .system(errno, "cannot write '\(path)'") }
    }
}
