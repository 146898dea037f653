import Core
import System

/// Reasons to reject a key, whichever keys are known.
extension FileTrustStore {
    /// - Throws: `host-key.changed` for a revoked key, and for a key that contradicts the one known for the server's
    ///   address; `host-key.unknown` for an RSA key that is too small; `config` and `io` if the file with revoked keys
    ///   cannot be read.
    func checkRestrictions(on key: HostKey, of endpoint: Endpoint, in lookup: HostKeyLookup) throws(VTError) {
        if let minimum = lookup.minimumRSABits, let bits = key.rsaBits, bits < minimum {
            throw VTError(
                .hostKeyUnknown,
                "the RSA host key of '\(endpoint)' has \(bits) bits, but RequiredRSASize is \(minimum)",
                hint: "give the server another host key: ssh-keygen -A"
            )
        }
        if let path = lookup.revokedKeys { try checkRevocation(of: key, endpoint, by: path) }
        guard let address = lookup.address else { return }
        var addressLookup = lookup
        addressLookup.alias = nil
        _ = try decision(Endpoint(host: address, port: endpoint.port), addressLookup).standing(of: key)
    }

    private func checkRevocation(of key: HostKey, _ endpoint: Endpoint, by path: String) throws(VTError) {
        guard let bytes = try FileContents.read(path) else {
            throw VTError(
                .config,
                "cannot check whether the host key of '\(endpoint)' is revoked: '\(path)' does not exist",
                hint: "see RevokedHostKeys in ssh_config(5)"
            )
        }
        guard let revoked = RevokedKeys(bytes) else {
            throw VTError(
                .config,
                "cannot check whether the host key of '\(endpoint)' is revoked: '\(path)' is malformed",
                hint: "see RevokedHostKeys in ssh_config(5)"
            )
        }
        guard revoked.contains(key) else { return }
        throw VTError(
            .hostKeyChanged,
            "the host key of '\(endpoint)' is revoked in '\(path)': \(key.type) \(fingerprint(of: key))",
            hint: "give the server a new host key, or correct '\(path)' if the revocation is wrong"
        )
    }
}
