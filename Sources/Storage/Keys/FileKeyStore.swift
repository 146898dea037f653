import Core
import Glibc
import System

/// Stores each key in two files of a private directory: `NAME`, with mode 0600, and `NAME.pub`.
package struct FileKeyStore: Sendable {
    /// The contents of the files of a key.
    package struct Files: Sendable {
        package var privateKey: Secret
        /// Nil if the file is missing.
        package var publicLine: String?
    }

    private let directory: String

    /// The directory is created when the first key is stored.
    package init(directory: String) {
        self.directory = directory
    }

    /// Returns the names of all keys, sorted.
    ///
    /// - Throws: `io`.
    package func names() throws(VTError) -> [String] {
        try DirectoryListing.names(in: directory).filter(StoredKeyName.isWellFormed).sorted()
    }

    /// The path of a private key; the path of the public key has `StoredKeyName.publicSuffix` appended.
    package func path(of name: String) -> String {
        "\(directory)/\(name)"
    }

    private func publicPath(of name: String) -> String {
        path(of: name) + StoredKeyName.publicSuffix
    }

    /// Returns the contents of the files of a key; nil if there is no such key.
    ///
    /// - Throws: `config` when another user could have changed the file; `io`.
    package func read(_ name: String) throws(VTError) -> Files? {
        guard StoredKeyName.isWellFormed(name), let bytes = try TrustedPath.read(path(of: name)) else { return nil }
        let line = try TrustedPath.read(publicPath(of: name)).map { String(decoding: $0, as: UTF8.self) }
        return Files(privateKey: try Secret(bytes), publicLine: line)
    }

    /// Stores a new key; leaves no files if it fails.
    ///
    /// - Throws: `exists`, `cannot-create` or `io`; `config` when another user could change the file.
    package func add(_ pair: KeyPair, as name: StoredKeyName) throws(VTError) {
        try TrustedPath.make(directory: directory)
        // The private key comes first: once its file exists, this process owns the name, and may remove both files on
        // failure.
        try create(path(of: name.text), pair.privateKey.bytes, mode: 0o600, for: name)
        do throws(VTError) {
            let line = Array((pair.publicKey.line + "\n").utf8)
            try create(publicPath(of: name.text), line, mode: 0o644, for: name)
            try OpenFile(opening: directory, O_RDONLY | O_DIRECTORY).synchronize()
        } catch {
            // The first failure is the one to report.
            try? FileContents.remove(path(of: name.text))
            if error.code != .exists { try? FileContents.remove(publicPath(of: name.text)) }
            throw error
        }
    }

    /// Removes the files of a key; a missing file is not an error.
    ///
    /// - Throws: `cannot-create`.
    package func remove(_ name: String) throws(VTError) {
        guard StoredKeyName.isWellFormed(name) else { return }
        try FileContents.remove(path(of: name))
        try FileContents.remove(publicPath(of: name))
    }

    /// Creates a file that appears only when it is complete; never replaces an existing file.
    private func create(
        _ path: String,
        _ bytes: [UInt8],
        mode: mode_t,
        for name: StoredKeyName
    ) throws(VTError) {
        let temporary = "\(directory)/.\(RandomIdentifier.make())"
        defer { unsafe unlink(temporary) }
        let file = try OpenFile(
            opening: temporary,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
            failure: .cannotCreate
        )
        try file.setMode(mode)
        try file.writeAll(bytes)
        try file.synchronize()
        guard unsafe link(temporary, path) == 0 else {
            let failure = errno
            guard failure == EEXIST else {
                throw .system(failure, "cannot create '\(path)'", fallback: .cannotCreate)
            }
            throw VTError(
                .exists,
                "cannot store key '\(name.text)': '\(path)' already exists",
                hint: "choose another name, or see 'vt key show \(name.text)'"
            )
        }
    }
}
