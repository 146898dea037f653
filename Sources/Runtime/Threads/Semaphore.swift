import Core
import Glibc

/// A counting semaphore for dedicated threads; tasks must never wait on it.
///
/// The corresponding C functions are described in sem_overview(7).
@safe
package final class Semaphore: Sendable {
    // Semaphores are thread-safe; only the constant address is stored here.
    private nonisolated(unsafe) let raw: UnsafeMutablePointer<sem_t>

    package init() {
        unsafe raw = .allocate(capacity: 1)
        unsafe raw.initialize(to: sem_t())
        unsafe sem_init(raw, 0, 0)
    }

    deinit {
        unsafe sem_destroy(raw)
        unsafe raw.deallocate()
    }

    package func signal() {
        unsafe sem_post(raw)
    }

    package func wait() {
        while unsafe sem_wait(raw) != 0 && errno == EINTR {}
    }
}
