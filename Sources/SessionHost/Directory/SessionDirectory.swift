import Core
import Glibc
import POSIX
import Synchronization

/// The directory of all sessions of this machine, below which each has its own.
package struct SessionDirectory: Sendable {
    package let path: String
    private let isTrusted = Trust()

    package init(path: String) {
        self.path = path
    }

    /// Whether the directory was found to be the user's own; once is enough for all its sessions.
    private final class Trust: Sendable {
        private let isKnown = Mutex(false)

        func check(_ path: String) throws(VTError) {
            guard !isKnown.withLock({ $0 }) else { return }
            try OwnPath.check(directory: path)
            isKnown.withLock { $0 = true }
        }
    }

    /// - Throws: `config` when the directory of a session, or one on the way to it, is not the user's own.
    func check(_ files: SessionFiles) throws(VTError) {
        try isTrusted.check(path)
        for name in [files.directory, files.record] {
            var status = stat()
            if unsafe lstat(name, &status) == 0 { try OwnPath.check(status, of: name) }
        }
    }

    package func files(of id: SessionID) -> SessionFiles {
        SessionFiles(of: id, in: path)
    }

    /// The names that are taken.
    package var names: SessionNames {
        SessionNames(sessions: self)
    }

    /// Makes the directories where they are missing.
    ///
    /// - Throws: `cannot-create`, `config` when others may change what is in them.
    package func make() throws(VTError) {
        try FileContents.makeDirectory(names.path)
        try isTrusted.check(path)
        try OwnPath.check(directory: names.path)
    }

    /// The ids of all sessions that have a directory, in no order.
    package func ids() throws(VTError) -> [SessionID] {
        try isTrusted.check(path)
        let names = try DirectoryListing.names(in: path)
        finishRemovals(among: names)
        return names.compactMap { SessionID($0) }
    }
}
