import Core
import Storage
import System

/// Manages the keys that vt keeps.
package struct KeyService: Sendable {
    private let store: FileKeyStore
    private let source: any KeyPairSource
    private let profiles: any ProfileStore

    package init(_ world: World) throws(VTError) {
        store = FileKeyStore(directory: try world.directories().keys)
        source = world.keySource()
        profiles = try world.profiles()
    }

    // MARK: - Reading

    /// All keys, sorted by name.
    ///
    /// - Throws: `config` for a damaged file; errors from the stores.
    package func list() throws(VTError) -> [StoredKey] {
        let all = try profiles.load()
        var keys: [StoredKey] = []
        for name in try store.names() {
            // The key may have been removed in the meantime.
            if let key = try key(name, profiles: all) { keys.append(key) }
        }
        return keys
    }

    /// - Throws: `not-found`, with the closest name as a hint if there is a similar one; the same errors as `list`.
    package func key(_ name: String) throws(VTError) -> StoredKey {
        guard let key = try key(name, profiles: try profiles.load()) else { throw try missing(name) }
        return key
    }

    private func key(_ name: String, profiles: [String: Profile]) throws(VTError) -> StoredKey? {
        guard let files = try store.read(name) else { return nil }
        let pair: KeyPair
        do throws(VTError) {
            pair = try source.parse(files.privateKey.bytes, name: store.path(of: name), comment: "")
        } catch {
            throw VTError(.config, error.message, hint: error.hint, causes: error.causes)
        }
        var publicKey = pair.publicKey
        // The comment of an encrypted key is encrypted too.
        if let line = files.publicLine, let comment = Self.comment(in: line, of: publicKey) {
            publicKey.comment = comment
        }
        return stored(name, publicKey, isEncrypted: pair.isEncrypted, profiles: profiles)
    }

    private func stored(
        _ name: String,
        _ publicKey: PublicKey,
        isEncrypted: Bool,
        profiles: [String: Profile]
    ) -> StoredKey {
        let path = store.path(of: name)
        return StoredKey(
            name: name,
            path: path,
            publicKey: publicKey,
            fingerprint: Digests.fingerprint(publicKey.blob),
            isEncrypted: isEncrypted,
            profiles: profiles.values.filter { $0.identities.contains(path) }.map(\.name).sorted()
        )
    }

    /// The comment in the line of a `.pub` file; nil if the line contains a different key.
    private static func comment(in line: String, of key: PublicKey) -> String? {
        let words = line.split(separator: "\n").first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0] + " " + words[1] == key.text else { return nil }
        return words.count > 2 ? String(words[2]) : ""
    }

    private func missing(_ name: String) throws(VTError) -> VTError {
        let nearest = Suggestion.nearest(to: name, among: try store.names())
        return VTError(
            .notFound,
            "no such key: '\(name)'",
            hint: nearest.map { "did you mean '\($0)'?" } ?? "see 'vt key list'"
        )
    }

    // MARK: - Changing

    /// - Throws: `exists`; `system` when the key cannot be generated; errors from the stores.
    package func generate(
        _ name: StoredKeyName,
        _ kind: KeyKind,
        comment: String
    ) throws(VTError) -> StoredKey {
        try add(try source.generate(kind, comment: comment), as: name)
    }

    /// Stores a private key file with these contents; `file` is its name in errors.
    ///
    /// - Throws: `exists`; `data.invalid` for anything but a private key; errors from the stores.
    package func importKey(
        _ name: StoredKeyName,
        from contents: [UInt8],
        file: String,
        comment: String?
    ) throws(VTError) -> StoredKey {
        var pair = try source.parse(contents, name: file, comment: comment ?? name.text)
        if let comment { pair.publicKey.comment = comment }
        return try add(pair, as: name)
    }

    private func add(_ pair: KeyPair, as name: StoredKeyName) throws(VTError) -> StoredKey {
        try store.add(pair, as: name)
        return stored(name.text, pair.publicKey, isEncrypted: pair.isEncrypted, profiles: try profiles.load())
    }

    /// Removes either all of the given keys or none.
    ///
    /// - Throws: `not-found`; `busy` when a profile uses one of the keys, unless `force` is true; errors from the
    ///   stores.
    package func remove(_ names: [String], force: Bool) throws(VTError) {
        let present = try store.names()
        for name in names where !present.contains(name) { throw try missing(name) }
        let all = force ? [:] : try profiles.load()
        for name in names {
            let path = store.path(of: name)
            let users = all.values.filter { $0.identities.contains(path) }.map(\.name).sorted()
            guard users.isEmpty else {
                throw VTError(
                    .busy,
                    "cannot remove key '\(name)': used by \(users.count == 1 ? "profile" : "profiles") "
                        + users.map { "'\($0)'" }.joined(separator: ", "),
                    hint: "use 'vt profile edit \(users[0]) --unset identity', or add --force"
                )
            }
        }
        for name in names { try store.remove(name) }
    }

    // MARK: - Choosing

    /// The paths of keys, as profiles specify them.
    ///
    /// - Throws: `not-found`.
    package func paths(of names: [String]) throws(VTError) -> [String] {
        let present = try store.names()
        for name in names where !present.contains(name) { throw try missing(name) }
        return names.map(store.path)
    }

    /// The key to use for a profile: the one that the profile specifies, or else the only key that exists.
    ///
    /// - Throws: `usage` if there are several; `not-found` if there is none.
    package func key(for profile: Profile?) throws(VTError) -> StoredKey {
        let keys = try list()
        let own = keys.filter { profile?.identities.contains($0.path) == true }
        let candidates = own.isEmpty ? keys : own
        guard let key = candidates.first else {
            throw VTError(.notFound, "there are no keys", hint: "to generate one, use 'vt key generate NAME'")
        }
        guard candidates.count == 1 else {
            throw VTError(
                .usage,
                "there are several keys: \(candidates.map { "'\($0.name)'" }.joined(separator: ", "))",
                hint: "select one with --key"
            )
        }
        return key
    }
}
