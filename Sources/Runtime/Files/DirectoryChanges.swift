import Core
import Glibc
import System

/// Reports when a file in a directory is replaced, or closed after being open for writing, and when the directory is
/// moved or removed (inotify(7)).
package final class DirectoryChanges: Sendable {
    private let queue: FileDescriptor

    /// Starts watching an existing directory.
    ///
    /// - Throws: `not-found`; `system` when a system limit is reached.
    package init(of path: String) throws(VTError) {
        queue = FileDescriptor(owning: inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
        let mask = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
        guard queue.number >= 0, unsafe inotify_add_watch(queue.number, path, mask) >= 0 else {
            throw .system(errno, "cannot watch '\(path)'", fallback: .system)
        }
    }

    /// Waits at most `limit` for the next change; returns immediately if there was a change since the previous call.
    package func next(within limit: Duration) async throws(VTError) {
        try await onAbandonableThread { () throws(VTError) in
            var event = pollfd(fd: self.queue.number, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&event, 1, CInt(clamping: limit.wholeMilliseconds)) > 0 else { return }
            // The events are discarded, because the caller checks the files.
            _ = try BlockingIO.read(self.queue.number, limit: 16 << 10)
        }
    }
}
