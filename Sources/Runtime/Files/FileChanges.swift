import Core
import Glibc
import Synchronization
import System

/// Reports when a file is written, and when its writer closes it (inotify(7)).
package final class FileChanges: Sendable {
    private let path: String
    private let queue: FileDescriptor
    private let isClosed = Mutex(false)

    /// Starts watching a file, which must exist.
    ///
    /// - Throws: `not-found`; `system` when a system limit is reached.
    package init(of path: String) throws(VTError) {
        self.path = path
        queue = FileDescriptor(owning: inotify_init1(Int32(IN_CLOEXEC)))
        let mask = UInt32(IN_MODIFY | IN_CLOSE_WRITE)
        guard queue.number >= 0, unsafe inotify_add_watch(queue.number, path, mask) >= 0 else {
            throw .system(errno, "cannot watch '\(path)'", fallback: .system)
        }
    }

    /// Waits for the next change; returns false once a writer has closed the file.
    ///
    /// Changes since the last call are included.
    package func next() async throws(VTError) -> Bool {
        guard !isClosed.withLock(\.self) else { return false }
        let isOpen = try await onAbandonableThread { () throws(VTError) in try self.read() }
        if !isOpen { isClosed.withLock { $0 = true } }
        return isOpen
    }

    /// Blocks until there are changes, and consumes all of them.
    private func read() throws(VTError) -> Bool {
        let bytes = try BlockingIO.read(queue.number, limit: 16 << 10)
        var isOpen = true
        var rest = bytes[...]
        // struct inotify_event of a watched file: wd, mask, cookie and a name length of zero, four bytes each.
        while rest.count >= 16 {
            let mask = rest.dropFirst(4).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            if mask & UInt32(IN_CLOSE_WRITE) != 0 { isOpen = false }
            rest = rest.dropFirst(16)
        }
        return isOpen
    }
}
