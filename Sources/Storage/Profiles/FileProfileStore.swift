import Core
import Synchronization
import System

/// Stores the profiles in one JSON file.
///
/// Writers are serialized by a lock on a separate file; readers need none, because the file is replaced atomically. The
/// file is parsed again only after it has changed.
package final class FileProfileStore: ProfileStore {
    private let path: String
    private let lockTimeout: Duration
    private let parsed = Mutex<(version: FileVersion, document: ProfilesDocument)?>(nil)

    /// `path` is the file; its directory is created when the first profile is written.
    package init(path: String, lockTimeout: Duration = FileLock.timeout) {
        self.path = path
        self.lockTimeout = lockTimeout
    }

    package func load() throws(VTError) -> [String: Profile] {
        try document().profiles
    }

    package func update<Result>(
        _ change: (inout [String: Profile]) throws(VTError) -> Result
    ) throws(VTError) -> Result {
        try TrustedPath.make(directory: FileContents.directory(of: path))
        return try FileLock(at: path + ".lock", timeout: lockTimeout).hold { () throws(VTError) in
            let document = try document()
            var profiles = document.profiles
            let result = try change(&profiles)
            if profiles != document.profiles {
                try FileContents.replace(path, with: document.rendered(with: profiles))
            }
            return result
        }
    }

    private func document() throws(VTError) -> ProfilesDocument {
        let version = FileVersion(at: path)
        let known = parsed.withLock { $0.flatMap { $0.version == version ? $0.document : nil } }
        if let known { return known }
        guard let bytes = try TrustedPath.read(path) else { return ProfilesDocument() }
        let document = try ProfilesDocument(parsing: bytes, path: path)
        if let version { parsed.withLock { $0 = (version, document) } }
        return document
    }
}
