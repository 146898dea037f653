/// Lists and changes the known host keys.
package protocol HostKeyRegistry: TrustStore {
    /// The known keys, with those in vt's own file first; if `endpoint` is not nil, only the keys that apply to it.
    ///
    /// - Throws: `config` and `io`, as `TrustStore.knownKeyTypes` does.
    func knownHosts(for endpoint: Endpoint?) throws(VTError) -> [KnownHost]

    /// Adds a key to vt's own file; with `replacing`, removes the host's other keys from that file.
    ///
    /// Returns `known` if the key is already there.
    ///
    /// - Throws: `host-key.changed` when another key of this type is known and is not being replaced, or when the key
    ///   is revoked; `config`, `io`, `cannot-create` or `busy`.
    func add(_ key: HostKey, for endpoint: Endpoint, replacing: Bool) throws(VTError) -> TrustVerdict

    /// Removes the host from vt's own file and returns the removed entries; entries with a marker are kept.
    ///
    /// With `isDryRun`, returns the entries that would be removed and leaves the file unchanged.
    func forget(_ endpoint: Endpoint, isDryRun: Bool) throws(VTError) -> [KnownHost]
}
