/// Knows the host keys of servers.
package protocol TrustStore: Sendable {
    /// The key types known for a host; the handshake asks for these first.
    ///
    /// `extraFile` is a known_hosts file to read besides the usual ones. A malformed file is `config`, one that cannot
    /// be read `io`: such a store trusts nobody.
    func knownKeyTypes(for endpoint: Endpoint, extraFile: String?) throws(VTError) -> [String]

    /// Decides whether a key may be trusted, and stores it when it is new and the policy says so.
    ///
    /// - Throws: `host-key.changed` with both fingerprints and the way out; `host-key.unknown` for a key that the
    ///   policy does not accept, that is revoked, or that is of another type than all known keys of the host; `config`
    ///   and `io` as above.
    func check(
        _ key: HostKey,
        for endpoint: Endpoint,
        policy: HostKeyPolicy,
        extraFile: String?
    ) throws(VTError) -> TrustVerdict

    /// `SHA256:` and the unpadded Base64 of the blob's SHA-256, as `ssh-keygen -l` prints it.
    func fingerprint(of key: HostKey) -> String
}
