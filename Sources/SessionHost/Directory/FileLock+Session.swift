import Core
import Glibc
import System

/// The lock that a holder keeps while it runs.
///
/// Other processes check it by taking a shared lock, so that concurrent checks are not mistaken for the holder.
extension FileLock {
    /// Whether a holder keeps the lock; false if the file does not exist.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Takes the lock, waiting until concurrent checks have finished; nil if the lock is still held after the timeout.
    static func acquire(_ path: String, _ flags: CInt, timeout: Duration) throws(VTError) -> FileDescriptor? {
        let file = try FileDescriptor.open(path, flags, fallback: .cannotCreate)
        let deadline = ContinuousClock.now + timeout
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .system(errno, "cannot lock '\(path)'") }
            guard ContinuousClock.now < deadline else { return nil }
            blockThread(for: .microseconds(500))
        }
        return file
    }
}
