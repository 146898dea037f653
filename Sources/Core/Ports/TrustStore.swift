/// Stores, lists and changes the known host keys of servers.
package protocol TrustStore: Sendable {
    /// The files in which keys are looked up.
    func files(for lookup: HostKeyLookup) -> [String]

    /// The known key types for a host; the handshake prefers these.
    ///
    /// - Throws: `config` when a malformed line might concern the host, or other users can change vt's own file; `io`
    ///   when a file cannot be read; `not-found` when the additional file does not exist.
    func knownKeyTypes(for endpoint: Endpoint, in lookup: HostKeyLookup) throws(VTError) -> [String]

    /// Decides whether to trust a key, and stores it if it is new and the policy allows that.
    ///
    /// Does not wait if another process is storing a key, but throws `busy`; nothing has been reported then.
    ///
    /// - Throws: `host-key.changed`, with both fingerprints and a hint, for a key that differs from the known one or is
    ///   revoked; `host-key.unknown` for a key that the policy does not accept, that is too small, or whose type differs
    ///   from those of all known keys of the host; also the errors that `knownKeyTypes` throws.
    func check(
        _ key: HostKey,
        for endpoint: Endpoint,
        policy: HostKeyPolicy,
        in lookup: HostKeyLookup
    ) throws(VTError) -> TrustVerdict

    /// The fingerprint as printed by `ssh-keygen -l`: `SHA256:` and the SHA-256 digest of the blob in unpadded Base64.
    func fingerprint(of key: HostKey) -> String

    // MARK: - Changes by the user

    /// The known keys, with those in vt's own file first; if `endpoint` is not nil, only the keys that apply to it.
    ///
    /// - Throws: The errors that `knownKeyTypes` throws.
    func knownHosts(for endpoint: Endpoint?, in lookup: HostKeyLookup) throws(VTError) -> [KnownHost]

    /// Adds a key to vt's own file; with `replacing`, removes the host's other keys from that file.
    ///
    /// Returns `known` if the key is already there.
    ///
    /// - Throws: `host-key.changed` when another key of this type is known and is not being replaced, or when the key
    ///   is revoked; `config`, `io`, `cannot-create` or `busy`.
    func add(
        _ key: HostKey,
        for endpoint: Endpoint,
        in lookup: HostKeyLookup,
        replacing: Bool
    ) throws(VTError) -> TrustVerdict

    /// Removes the host from vt's own file and returns the removed entries; entries with a marker are kept.
    ///
    /// With `isDryRun`, returns the entries that would be removed and leaves the file unchanged.
    func forget(_ endpoint: Endpoint, isDryRun: Bool) throws(VTError) -> [KnownHost]
}
