import CGuardedSSH2
import CLibSSH2
import Core

extension SessionHandle {
    /// Returns the algorithms of one kind that the library supports.
    func supportedAlgorithms(_ kind: AlgorithmKind) -> [String] {
        guard let method = kind.methods.first else { return [] }
        var list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        let count = unsafe libssh2_session_supported_algs(raw, method, &list)
        guard count > 0, let list = unsafe list else { return [] }
        defer { unsafe libssh2_free(raw, list) }
        return (0..<Int(count)).compactMap { unsafe list[$0].map { unsafe String(cString: $0) } }
            .filter { !Self.legacyAlgorithms.contains($0) }
    }

    /// The ciphers and MACs that libssh2 lists, but that OpenSSL 3 provides only with its legacy provider, which vt does
    /// not load (OSSL_PROVIDER-legacy(7)); RIPEMD-160 up to OpenSSL 3.0.6.
    private static let legacyAlgorithms: Set<String> = [
        "blowfish-cbc", "arcfour128", "arcfour", "cast128-cbc", "hmac-ripemd160", "hmac-ripemd160@openssh.com",
    ]

    /// Sets the exact list of algorithms to offer in the key exchange.
    func offer(_ algorithms: [String], as kind: AlgorithmKind) throws(SSHFailure) {
        let list = algorithms.joined(separator: ",")
        for method in kind.methods {
            _ = try checked("session_method_pref", Int(unsafe libssh2_session_method_pref(raw, method, list)))
        }
    }

    /// Exchanges identification lines and keys, up to the point where authentication can start.
    ///
    /// The library requires a descriptor but does not use it for I/O, which goes through the wire. The corresponding C
    /// function is `libssh2_session_handshake`.
    func handshake(descriptor: CInt) -> Int {
        Int(unsafe guarded_session_handshake(wire.memory.failed, raw, descriptor))
    }

    /// The server's host key; nil until the key exchange has proved that the server owns it.
    var hostKey: HostKey? {
        var length = 0
        var type: CInt = 0
        guard let bytes = unsafe libssh2_session_hostkey(raw, &length, &type), length > 0 else { return nil }
        return unsafe HostKey(blob: Array(UnsafeRawBufferPointer(start: bytes, count: length)))
    }

    /// The negotiated algorithm of each kind, in the order of `AlgorithmKind.negotiated`; empty if there is none.
    var negotiatedAlgorithms: [String] {
        AlgorithmKind.negotiated.map { kind in
            guard let method = kind.methods.first else { return "" }
            return unsafe libssh2_session_methods(raw, method).map { unsafe String(cString: $0) } ?? ""
        }
    }
}
