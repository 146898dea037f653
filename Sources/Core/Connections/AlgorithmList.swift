/// The algorithms of one kind, most preferred first.
package struct AlgorithmList: Hashable, Sendable {
    /// The algorithms that are used unless an option selects others.
    package var standard: [String]
    /// All algorithms that can be used, including weak ones.
    package var supported: [String]

    /// The names of algorithms that are offered only to servers whose profiles allow them: those that libssh2 supports
    /// but current practice forbids (RFC 8758, RFC 9142): SHA-1, MD5, RIPEMD-160, DSA, CBC, ciphers with 64-bit blocks,
    /// and RC4.
    ///
    /// The names are from RFC 4253, RFC 4345 and RFC 4419, or were chosen by vendors.
    package static let weak = [
        "diffie-hellman-group14-sha1", "diffie-hellman-group-exchange-sha1", "diffie-hellman-group1-sha1",
        "ssh-rsa", "ssh-dss",
        "aes256-cbc", "rijndael-cbc@lysator.liu.se", "aes192-cbc", "aes128-cbc", "3des-cbc", "blowfish-cbc",
        "cast128-cbc", "arcfour128", "arcfour",
        "hmac-sha1", "hmac-sha1-etm@openssh.com", "hmac-sha1-96", "hmac-ripemd160", "hmac-ripemd160@openssh.com",
        "hmac-md5", "hmac-md5-96",
    ]

    package init(standard: [String], supported: [String]) {
        self.standard = standard
        self.supported = supported
    }

    /// Returns the algorithms that an option such as Ciphers selects (ssh_config(5)): the supported ones in a list or,
    /// if the list starts with `+`, `-` or `^`, the standard ones with these appended, removed or preferred.
    ///
    /// The names in the list can be patterns.
    ///
    /// - Throws: `usage` if no algorithm remains.
    package func selected(by setting: String, as kind: AlgorithmKind) throws(VTError) -> [String] {
        let prefix = setting.first.flatMap { "+-^".contains($0) ? $0 : nil }
        let patterns = setting.dropFirst(prefix == nil ? 0 : 1).split(separator: ",").map(String.init)
        let named = patterns.flatMap { pattern in supported.filter { Wildcard.matches(pattern, $0) } }
        let list: [String] =
            switch prefix {
            case "+": standard + named
            case "-": standard.filter { !named.contains($0) }
            case "^": named + standard
            default: named
            }
        guard !list.isEmpty else {
            throw VTError(
                .usage,
                "no supported \(kind.label) in '\(setting)'",
                hint: "vt supports \(supported.joined(separator: " "))"
            )
        }
        return list.withoutRepetition
    }
}
