import Core

/// Replaces the tokens of a proxy command: `%h %n %p %r %%` (ssh_config(5), TOKENS).
struct ProxyTokens {
    private let values: [Character: String]

    /// `name` is what the server is called here, for `%n`.
    init(host: String, port: UInt16, user: String, name: String) {
        values = ["h": host, "p": String(port), "r": user, "n": name, "%": "%"]
    }

    /// What a shell gives a meaning to; who takes a host or user name from elsewhere would run a command with it.
    ///
    /// The set is the one that ssh(1) refuses in such names since version 9.6. The shell reads bytes: what looks like
    /// one character with a mark over it counts as two.
    private static let unsafe = Set("'`\"$\\;&<>|(){} \t\n".unicodeScalars)

    /// - Throws: `config` for an unknown token, `usage` for a value that the shell would not take as a plain word.
    func expand(_ command: String) throws(VTError) -> String {
        var result = ""
        var rest = command[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                result.append(character)
                continue
            }
            guard let token = rest.popFirst(), let value = values[token] else {
                throw VTError(
                    .config,
                    "unknown token in proxy command '\(command)'",
                    hint: "use %h, %n, %p or %r, or %% for a percent sign"
                )
            }
            let scalars = value.unicodeScalars
            guard scalars.first != "-", !scalars.contains(where: Self.unsafe.contains) else {
                throw VTError(.usage, "'\(value)' cannot be used in a proxy command")
            }
            result += value
        }
        return result
    }
}
