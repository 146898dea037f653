import Core

/// The directory of all sessions of this machine, below which each has its own.
package struct SessionDirectory: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
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
    /// - Throws: `cannot-create`.
    package func make() throws(VTError) {
        try FileContents.makeDirectory(names.path)
    }

    /// The ids of all sessions that have a directory, in no order.
    package func ids() throws(VTError) -> [SessionID] {
        let names = try DirectoryListing.names(in: path)
        finishRemovals(among: names)
        return names.compactMap { SessionID($0) }
    }
}
