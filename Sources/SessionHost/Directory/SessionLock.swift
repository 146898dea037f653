import Core
import Glibc
import POSIX

/// The lock that a holder has for its life.
///
/// Whoever looks takes it shared for a moment, so that several do not take each other for the holder.
enum SessionLock {
    /// Whether somebody holds the lock; false where there is no such file.
    ///
    /// The corresponding C function is `flock`.
    static func isHeld(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Takes the lock, waiting for those who look; nil when somebody still holds it after the timeout.
    static func take(_ path: String, _ flags: CInt, timeout: Duration) throws(VTError) -> FileDescriptor? {
        let file = try FileDescriptor.open(path, flags, fallback: .cannotCreate)
        let deadline = ContinuousClock.now + timeout
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .system(errno, "cannot lock '\(path)'") }
            guard ContinuousClock.now < deadline else { return nil }
            usleep(500)
        }
        return file
    }
}
