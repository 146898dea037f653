import Core
import Storage
import System

/// Expands the tokens and variables in the options for one host (ssh_config(5), TOKENS and ENVIRONMENT VARIABLES).
package struct HostTokens: Sendable {
    let endpoint: Endpoint
    let user: String
    /// The host as typed.
    let name: String
    let alias: String?
    /// The user running vt.
    let account: Account?
    let environment: Environment

    private var tokens: SSHConfigTokens { SSHConfigTokens(values) }

    private var values: [Character: String] {
        let machine = LinuxProcess.hostName
        var values: [Character: String] = [
            "h": endpoint.host, "i": String(LinuxProcess.userID), "k": alias ?? name, "l": machine,
            "L": String(machine.prefix { $0 != "." }), "n": name, "p": String(endpoint.port), "r": user,
            // vt forwards no network devices.
            "T": "NONE",
        ]
        values["C"] = SSHConfigTokens.connectionHash(host: endpoint.host, port: String(endpoint.port), user: user)
        values["d"] = environment["HOME"] ?? account?.home
        values["u"] = account?.name
        return values
    }

    /// Replaces the tokens in a text; nil if one of them has no value.
    private func expand(tokensIn text: String) -> String? {
        // Most texts contain no token, and finding the values of all tokens takes time.
        text.utf8.contains(UInt8(ascii: "%")) ? tokens.expand(text) : text
    }

    /// Expands the name of a file or socket; `noun` describes it.
    ///
    /// - Throws: `usage` for a token or variable without a value.
    package func expand(_ name: String, as noun: String) throws(VTError) -> String {
        guard let path = SSHConfigTokens.expandVariables(name, { environment[$0] }), let path = expand(tokensIn: path)
        else { throw VTError(.usage, "token or variable without a value in \(noun) '\(name)'") }
        return path
    }

    /// Expands the known_hosts files of an option; `none` means no file.
    ///
    /// - Throws: `usage` for a token or variable without a value.
    func expand(knownHosts names: [String]) throws(VTError) -> [String] {
        var expanded: [String] = []
        for name in Self.files(names) { expanded.append(try expand(name, as: "known_hosts file")) }
        return expanded
    }

    /// The names of files; `none` means no file.
    static func files(_ names: [String]) -> [String] {
        names.count == 1 && names[0].lowercased() == "none" ? [] : names
    }

    /// Expands the words of a command that prints known keys, except its tokens whose values depend on the key.
    ///
    /// - Throws: `usage` for a token or variable without a value; `config` unless the program has an absolute path.
    func expand(knownHostsCommand words: [String]) throws(VTError) -> [String] {
        guard let program = words.first, program.lowercased() != "none" else { return [] }
        guard program.hasPrefix("/") else {
            throw VTError(.config, "the program of KnownHostsCommand must have an absolute path: '\(program)'")
        }
        var values = values.mapValues { $0.replacing("%", with: "%%") }
        for token: Character in ["H", "I", "K", "f", "t", "%"] { values[token] = "%\(token)" }
        let tokens = SSHConfigTokens(values)
        var expanded = [program]
        for word in words.dropFirst() {
            guard let text = SSHConfigTokens.expandVariables(word, { environment[$0] }),
                let text = tokens.expand(text)
            else { throw VTError(.usage, "token or variable without a value in KnownHostsCommand: '\(word)'") }
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
}
