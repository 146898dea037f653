import Core

extension PlanResolver {
    /// Expands the tokens of a proxy command: `%h %n %p %r %%` (ssh_config(5), TOKENS).
    ///
    /// `name`, the value of `%n`, is the profile's name or, without a profile, the host as typed.
    ///
    /// - Throws: `config` for an unknown token, `usage` for a value that is unsafe in a shell.
    static func expand(
        proxyCommand command: String,
        to endpoint: Endpoint,
        user: String,
        name: String
    ) throws(VTError) -> String {
        let values: [Character: String] = [
            "h": endpoint.host, "p": String(endpoint.port), "r": user, "n": name, "%": "%",
        ]
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
            guard ShellSafety.isSafe(value) else {
                throw VTError(.usage, "cannot use '\(value)' in a proxy command: it is unsafe in a shell")
            }
            result += value
        }
        return result
    }
}
