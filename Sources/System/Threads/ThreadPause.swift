import CLinux
import Core
import Glibc

/// Blocks the calling thread.
///
/// Intended for dedicated threads and for waits of a few milliseconds; a task sleeps on a clock instead. The
/// corresponding C function is `nanosleep`.
package func blockThread(for duration: Duration) {
    let (seconds, attoseconds) = max(.zero, duration).components
    var pause = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    while unsafe nanosleep(&pause, &rest) != 0, errno == EINTR { pause = rest }
}
