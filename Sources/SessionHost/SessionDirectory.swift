import Core

/// The directory of all sessions of this machine.
package struct SessionDirectory: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package func files(of id: SessionID) -> SessionFiles {
        SessionFiles(of: id, in: path)
    }
}
