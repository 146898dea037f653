import CLibSSH2
import Core

/// The algorithms to offer to a server: the strong ones, most preferred first, and those that the user allows.
enum AlgorithmPreference {
    /// Names in the list of key exchange methods that are not methods but announce extensions (RFC 8308 §2.1).
    static let extensions = ["ext-info-c", "kex-strict-c-v00@openssh.com"]

    /// The strong algorithms in order of preference; the library might not support all of them.
    ///
    /// AES in counter mode comes before the authenticated ciphers because libssh2 was faster with it in every version
    /// measured.
    static func strong(_ kind: AlgorithmKind) -> [String] {
        switch kind {
        case .keyExchange:
            [
                "mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256",
                "ecdh-sha2-nistp384", "ecdh-sha2-nistp521", "diffie-hellman-group14-sha256",
                "diffie-hellman-group16-sha512", "diffie-hellman-group18-sha512",
                "diffie-hellman-group-exchange-sha256",
            ]
        case .hostKey:
            [
                "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "rsa-sha2-512",
                "rsa-sha2-256",
            ]
        case .cipher:
            [
                "aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-gcm@openssh.com", "aes256-gcm@openssh.com",
                "chacha20-poly1305@openssh.com",
            ]
        case .mac:
            [
                "hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512",
            ]
        case .userKey:
            [
                "ssh-ed25519-cert-v01@openssh.com", "ecdsa-sha2-nistp256-cert-v01@openssh.com",
                "ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp521-cert-v01@openssh.com",
                "rsa-sha2-256-cert-v01@openssh.com", "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384",
                "ecdsa-sha2-nistp521", "rsa-sha2-256",
            ]
        }
    }

    /// Whether libssh2 1.11 supports one of a server's algorithms, all of which the library in use lacks.
    static func isSolvedByLaterLibrary(_ kind: AlgorithmKind, _ theirs: [String]) -> Bool {
        theirs.contains { $0 != "mlkem768x25519-sha256" && strong(kind).contains($0) }
    }

    /// Whether OpenSSH's client supports one of a server's algorithms, all of which the library in use lacks.
    static func isSolvedByOpenSSH(_ kind: AlgorithmKind, _ theirs: [String]) -> Bool {
        theirs.contains { strong(kind).contains($0) || onlyOpenSSH(kind).contains($0) }
    }

    /// Strong algorithms that OpenSSH supports, but no version of libssh2.
    private static func onlyOpenSSH(_ kind: AlgorithmKind) -> [String] {
        switch kind {
        case .keyExchange: ["sntrup761x25519-sha512@openssh.com", "sntrup761x25519-sha512"]
        case .hostKey: ["sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"]
        case .cipher, .userKey: []
        case .mac: ["umac-128-etm@openssh.com", "umac-128@openssh.com"]
        }
    }

    /// Returns the list to offer: the strong and allowed algorithms that the library supports, or those that `setting`
    /// selects.
    ///
    /// `known` contains the known host key types of the server. They come first, so that a server with several keys
    /// presents one that can be checked, unless the setting has an order of its own, as in OpenSSH (sshconnect2.c).
    ///
    /// - Throws: `usage` if the setting selects no supported algorithm.
    static func offer(
        _ kind: AlgorithmKind,
        supported: [String],
        allowed: [String],
        knownKeyTypes known: [String] = [],
        setting: String? = nil
    ) throws(VTError) -> [String] {
        var list = (strong(kind) + allowed).filter(supported.contains)
        if let setting {
            list = try self.list(kind, supported: supported, standard: list).selected(by: setting, as: kind)
        }
        if kind == .hostKey, prefersKnownKeyTypes(setting) {
            let preferred = list.filter { known.contains(keyType(ofAlgorithm: $0)) }
            list = preferred + list.filter { !preferred.contains($0) }
        }
        return kind == .keyExchange ? list + extensions.filter(supported.contains) : list
    }

    /// Whether the known key types come first with this setting of HostKeyAlgorithms.
    static func prefersKnownKeyTypes(_ setting: String?) -> Bool {
        setting.map { $0.hasPrefix("+") || $0.hasPrefix("-") } ?? true
    }

    /// The algorithms from which options can select: those that the library supports, except host certificates, which vt
    /// cannot verify.
    static func list(_ kind: AlgorithmKind, supported: [String], standard: [String]? = nil) -> AlgorithmList {
        let usable = supported.filter { !extensions.contains($0) && !$0.contains("-cert-") }
        return AlgorithmList(standard: standard ?? strong(kind).filter(usable.contains), supported: usable)
    }

    /// Returns the signature algorithms of the user's keys that `setting` selects.
    ///
    /// - Throws: `usage` if it selects no supported algorithm.
    static func userKeys(_ setting: String?) throws(VTError) -> [String] {
        let list = AlgorithmList(standard: strong(.userKey), supported: strong(.userKey))
        guard let setting else { return list.standard }
        return try list.selected(by: setting, as: .userKey)
    }

    /// Returns the key type of a host key algorithm: the three RSA signature algorithms share one (RFC 8332 §3).
    static func keyType(ofAlgorithm name: String) -> String {
        name.hasPrefix("rsa-sha2-") ? "ssh-rsa" : name
    }
}

extension AlgorithmKind {
    /// The numbers of libssh2, one for each direction if there are two; empty for kinds that are not negotiated.
    var methods: [CInt] {
        switch self {
        case .keyExchange: [LIBSSH2_METHOD_KEX]
        case .hostKey: [LIBSSH2_METHOD_HOSTKEY]
        case .cipher: [LIBSSH2_METHOD_CRYPT_CS, LIBSSH2_METHOD_CRYPT_SC]
        case .mac: [LIBSSH2_METHOD_MAC_CS, LIBSSH2_METHOD_MAC_SC]
        case .userKey: []
        }
    }
}
