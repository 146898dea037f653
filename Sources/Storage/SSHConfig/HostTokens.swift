import Core
import System

/// Expands the tokens and variables in the options for one host (ssh_config(5), TOKENS and ENVIRONMENT VARIABLES).
package struct HostTokens: Sendable {
    package var endpoint: Endpoint
    package let user: String
    /// The host as typed.
    package let name: String
    /// The name under which the host key is looked up.
    var alias: String?
    /// The user running vt.
    let account: Account?
    let home: String?
    let environment: Environment

    package init(
        endpoint: Endpoint,
        user: String,
        name: String,
        alias: String?,
        account: Account?,
        home: String?,
        environment: Environment
    ) {
        self.endpoint = endpoint
        self.user = user
        self.name = name
        self.alias = alias
        self.account = account
        self.home = home
        self.environment = environment
    }

    private var values: [Character: String] {
        let machine = LinuxProcess.hostName
        var values: [Character: String] = [
            "h": endpoint.host, "i": String(LinuxProcess.userID), "k": alias ?? name, "l": machine,
            "L": String(machine.prefix { $0 != "." }), "n": name, "p": String(endpoint.port), "r": user,
            "C": Self.connectionHash(to: endpoint, user: user),
            // vt forwards no network devices.
            "T": "NONE",
        ]
        values["d"] = home
        values["u"] = account?.name
        return values
    }

    /// Returns the value of `%C`: the SHA-1 digest of the names of this machine and of the server, the port and the
    /// user (ssh_connection_hash in readconf.c of OpenSSH).
    package static func connectionHash(to endpoint: Endpoint, user: String) -> String {
        Digests.sha1(Array("\(LinuxProcess.hostName)\(endpoint.host)\(endpoint.port)\(user)".utf8)).hexadecimal
    }

    /// Returns the text with its tokens replaced; nil if one of them has no value.
    func expand(tokensIn text: String) -> String? {
        // Most texts contain no token, and finding the values of all tokens takes time.
        text.utf8.contains(UInt8(ascii: "%")) ? SSHConfigTokens(values).expand(text) : text
    }

    /// Returns the name of a file with its tokens and variables replaced; nil if one of them has no value.
    func expand(path: String) -> String? {
        SSHConfigTokens.expandVariables(path, { environment[$0] }).flatMap(expand(tokensIn:))
    }

    /// Expands the name of a file or socket; `noun` describes it.
    ///
    /// - Throws: `usage` for a token or variable without a value.
    package func expand(_ name: String, as noun: String) throws(VTError) -> String {
        guard let path = expand(path: name) else {
            throw VTError(.usage, "token or variable without a value in \(noun) '\(name)'")
        }
        return path
    }

    /// Expands the known_hosts files of an option; `none` means no file.
    ///
    /// - Throws: `usage` for a token or variable without a value.
    package func expand(knownHosts names: [String]) throws(VTError) -> [String] {
        var expanded: [String] = []
        for name in Self.files(names) { expanded.append(try expand(name, as: "known_hosts file")) }
        return expanded
    }

    /// The names of files; `none` means no file.
    package static func files(_ names: [String]) -> [String] {
        names.count == 1 && names[0].lowercased() == "none" ? [] : names
    }

    /// Expands the words of a command that prints known keys, except its tokens whose values depend on the key.
    ///
    /// - Throws: `usage` for a token or variable without a value; `config` unless the program has an absolute path.
    package func expand(knownHostsCommand words: [String]) throws(VTError) -> [String] {
        guard let program = words.first, program.lowercased() != "none" else { return [] }
        guard program.hasPrefix("/") else {
            throw VTError(.config, "the program of KnownHostsCommand must have an absolute path: '\(program)'")
        }
        var values = values.mapValues { $0.replacing("%", with: "%%") }
        for token: Character in ["H", "I", "K", "f", "t", "%"] { values[token] = "%\(token)" }
        let tokens = SSHConfigTokens(values)
        var expanded = [program]
        for word in words.dropFirst() {
            guard let text = SSHConfigTokens.expandVariables(word, { environment[$0] }).flatMap(tokens.expand) else {
                throw VTError(.usage, "token or variable without a value in KnownHostsCommand: '\(word)'")
            }
            expanded.append(text)
        }
        return expanded
    }

    /// Expands the tokens of a command, in which variables are left to the shell.
    ///
    /// - Throws: `usage` for an unknown token.
    package func expand(command: String) throws(VTError) -> String {
        guard let text = expand(tokensIn: command) else {
            throw VTError(.usage, "unknown token in '\(command)'", hint: "write %% for a percent sign")
        }
        return text
    }

    /// Expands the tokens of a proxy command: `%h %n %p %r %%` (ssh_config(5), TOKENS).
    ///
    /// - Throws: `config` for an unknown token, `usage` for a value that is unsafe in a shell.
    package func expand(proxyCommand command: String) throws(VTError) -> String {
        let values = values.filter { "hnpr".contains($0.key) }
        let text = try SSHConfigTokens.expand(command) { token throws(VTError) in
            guard let value = values[token] else { return nil }
            guard ShellSafety.isSafe(value) else {
                throw VTError(.usage, "cannot use '\(value)' in a proxy command: it is unsafe in a shell")
            }
            return value
        }
        guard let text else {
            throw VTError(
                .config,
                "unknown token in proxy command '\(command)'",
                hint: "use %h, %n, %p or %r, or %% for a percent sign"
            )
        }
        return text
    }
}
