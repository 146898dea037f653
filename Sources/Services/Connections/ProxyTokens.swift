import Core

/// Expands the tokens of a proxy command: `%h %n %p %r %%` (ssh_config(5), TOKENS).
struct ProxyTokens {
    private let values: [Character: String]

    /// `name`, the value of `%n`, is the profile's name or, without a profile, the host as typed.
    init(host: String, port: UInt16, user: String, name: String) {
        values = ["h": host, "p": String(port), "r": user, "n": name, "%": "%"]
    }

    /// Characters that are special in a shell; untrusted host or user names that contain them could run commands.
    ///
    /// Since version 9.6, ssh(1) has rejected all of them in host names and most of them in user names. The set
    /// contains scalars, because a shell reads bytes: to a shell, `;` with a combining mark is still `;`.
    private static let unsafe = Set("'`\"$\\;&<>|(){} \t\n".unicodeScalars)

    /// - Throws: `config` for an unknown token, `usage` for a value that is unsafe in a shell.
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
                throw VTError(.usage, "cannot use '\(value)' in a proxy command: it is unsafe in a shell")
            }
            result += value
        }
        return result
    }
}
