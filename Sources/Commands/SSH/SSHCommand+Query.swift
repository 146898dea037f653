import Core
import Services

/// The lists of the algorithms that vt supports (ssh(1), `-Q`).
extension SSHCommand {
    private static let queryNames = [
        "cipher", "cipher-auth", "compression", "kex", "key", "key-cert", "key-plain", "key-sig", "mac",
        "protocol-version", "sig",
    ]

    /// Returns the list with the given name, which can also be the name of an option such as `Ciphers`.
    ///
    /// - Throws: `usage` for an unknown name; errors from `algorithms`.
    static func supported(
        _ name: String,
        algorithms: @escaping World.Port<[AlgorithmKind: AlgorithmList]>
    ) throws(VTError) -> [String] {
        func names(_ kinds: AlgorithmKind...) throws(VTError) -> [String] {
            let lists = try algorithms()
            return kinds.flatMap { lists[$0]?.supported ?? [] }.withoutRepetition
        }
        func isCertificate(_ name: String) -> Bool { name.contains("-cert-") }
        // The types of keys with which vt logs in; it can verify the same types of host keys, without certificates.
        let types = { () throws(VTError) -> [String] in
            try names(.userKey).map { $0.replacing("rsa-sha2-256", with: "ssh-rsa") }.withoutRepetition
        }
        return switch name.lowercased() {
        case "cipher", "ciphers": try names(.cipher)
        case "cipher-auth": try names(.cipher).filter { $0.contains("gcm") || $0.contains("poly1305") }
        case "mac", "macs": try names(.mac)
        case "kex", "kexalgorithms": try names(.keyExchange)
        case "key": try types()
        case "key-cert": try types().filter(isCertificate)
        case "key-plain": try types().filter { !isCertificate($0) }
        case "hostkeyalgorithms": try names(.hostKey)
        case "key-sig": try names(.hostKey, .userKey)
        case "sig": try names(.hostKey, .userKey).filter { !isCertificate($0) }
        case "pubkeyacceptedalgorithms", "pubkeyacceptedkeytypes": try names(.userKey)
        case "compression": ["none"]
        case "protocol-version": ["2"]
        case "help": queryNames
        default: throw VTError(.usage, "unsupported query '\(name)'", hint: "see 'vt ssh -Q help'")
        }
    }
}
