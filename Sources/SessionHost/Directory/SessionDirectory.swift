import Core
import Glibc
import Runtime
import System

/// The directory of this machine's sessions, with one subdirectory for each.
package struct SessionDirectory: Sendable {
    package let path: String
    /// Checked only once, however many sessions are read.
    private let trust: OnFirstUse<Void>

    package init(path: String) {
        self.path = path
        trust = OnFirstUse { () throws(VTError) in try TrustedPath.check(directory: path) }
    }

    /// Checks that no other user owns or can change the session's directory, its parents or its record.
    ///
    /// - Throws: `config`.
    func check(_ files: SessionFiles) throws(VTError) {
        try trust.value()
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
        try trust.value()
    }

    /// Returns the IDs of all sessions, unordered; also removes files left by interrupted creations and removals.
    package func ids() throws(VTError) -> [SessionID] {
        try trust.value()
        let names = try DirectoryListing.names(in: path)
        finishRemovals(among: names)
        return names.compactMap { SessionID($0) }
    }
}
