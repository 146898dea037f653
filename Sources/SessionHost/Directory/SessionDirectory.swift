import Core
import Glibc
import Synchronization
import System

/// The directory of this machine's sessions, with one subdirectory for each.
package struct SessionDirectory: Sendable {
    package let path: String
    private let isTrusted = Trust()

    package init(path: String) {
        self.path = path
    }

    /// Checks the directory only once, however many sessions are read.
    private final class Trust: Sendable {
        private let isKnown = Mutex(false)

        func check(_ path: String) throws(VTError) {
            guard !isKnown.withLock({ $0 }) else { return }
            try TrustedPath.check(directory: path)
            isKnown.withLock { $0 = true }
        }
    }

    /// Checks that no other user owns or can change the session's directory, its parents or its record.
    ///
    /// - Throws: `config`.
    func check(_ files: SessionFiles) throws(VTError) {
        try isTrusted.check(path)
        for name in [files.directory, files.record] {
            var status = stat()
            if unsafe lstat(name, &status) == 0 { try TrustedPath.check(status, of: name) }
        }
    }

    package func files(of id: SessionID) -> SessionFiles {
        SessionFiles(of: id, in: path)
    }

    /// The session names in use.
    package var names: SessionNames {
        SessionNames(sessions: self)
    }

    /// Creates the sessions directory and its names directory, if missing.
    ///
    /// - Throws: `cannot-create`; `config` when other users can change the directories.
    package func make() throws(VTError) {
        try TrustedPath.make(directory: names.path)
        try isTrusted.check(path)
    }

    /// Returns the IDs of all sessions, unordered; also removes files left by interrupted creations and removals.
    package func ids() throws(VTError) -> [SessionID] {
        try isTrusted.check(path)
        let names = try DirectoryListing.names(in: path)
        finishRemovals(among: names)
        return names.compactMap { SessionID($0) }
    }
}

extension SessionFiles {
    /// The lines that a resumed shell reads to change its environment; exists only for a moment.
    var environmentChanges: String { "\(environment).load" }

    /// Removes what is needed to resume the session.
    func removePause() {
        for path in [paused, environment, environmentChanges] { unsafe unlink(path) }
    }
}
