/// Lets the user see and change which host keys are known.
package protocol HostKeyRegistry: TrustStore {
    /// The known keys, those of vt's own file first; with `endpoint` only those that bear upon it.
    ///
    /// - Throws: `config` and `io` as `TrustStore`.
    func knownHosts(for endpoint: Endpoint?) throws(VTError) -> [KnownHost]

    /// Adds a key to vt's own file; `replacing` makes it take the place of other keys of its type there.
    ///
    /// Returns `known` when it is there already.
    ///
    /// - Throws: `host-key.changed` when another key of this type is known and is not replaced; `host-key.unknown` for a
    ///   revoked key; `config`, `io`, `cannot-create`, `busy`.
    func add(_ key: HostKey, for endpoint: Endpoint, replacing: Bool) throws(VTError) -> TrustVerdict

    /// Removes the host from vt's own file and returns what was removed; entries with a marker stay.
    func forget(_ endpoint: Endpoint) throws(VTError) -> [KnownHost]
}
