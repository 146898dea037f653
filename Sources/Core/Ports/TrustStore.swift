/// Stores the known host keys of servers.
package protocol TrustStore: Sendable {
    /// The known key types for a host; the handshake prefers these.
    ///
    /// `extraFile` is a known_hosts file to read in addition to the usual ones. A malformed file throws `config`, an
    /// unreadable one `io`: no host is trusted then.
    func knownKeyTypes(for endpoint: Endpoint, extraFile: String?) throws(VTError) -> [String]

    /// Decides whether to trust a key, and stores it if it is new and the policy allows that.
    ///
    /// - Throws: `host-key.changed` with both fingerprints and a hint, also for a revoked key; `host-key.unknown` for a
    ///   key that the policy does not accept, or whose type differs from all known keys of the host; `config` and `io`
    ///   as above.
    func check(
        _ key: HostKey,
        for endpoint: Endpoint,
        policy: HostKeyPolicy,
        extraFile: String?
    ) throws(VTError) -> TrustVerdict

    /// `SHA256:` and the unpadded Base64 of the blob's SHA-256, as printed by `ssh-keygen -l`.
    func fingerprint(of key: HostKey) -> String
}
