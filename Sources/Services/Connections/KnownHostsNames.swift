import Core
import POSIX

/// Expands the known_hosts file names in `UserKnownHostsFile` (ssh_config(5), TOKENS and ENVIRONMENT VARIABLES).
struct KnownHostsNames {
    private let tokens: SSHConfigTokens
    private let environment: Environment

    /// `name` is the host as typed; `account` is the user running vt.
    init(
        _ endpoint: Endpoint,
        user: String,
        name: String,
        alias: String?,
        account: Account?,
        environment: Environment
    ) {
        let machine = LinuxProcess.hostName
        var values: [Character: String] = [
            "h": endpoint.host, "i": String(LinuxProcess.userID), "k": alias ?? name, "l": machine,
            "L": String(machine.prefix { $0 != "." }), "n": name, "p": String(endpoint.port), "r": user,
        ]
        values["d"] = environment["HOME"] ?? account?.home
        values["u"] = account?.name
        tokens = SSHConfigTokens(values)
        self.environment = environment
    }

    /// The names of files; `none` means no file.
    static func files(_ names: [String]) -> [String] {
        names.count == 1 && names[0].lowercased() == "none" ? [] : names
    }

    /// - Throws: `usage` for a token or variable without a value.
    func expand(_ names: [String]) throws(VTError) -> [String] {
        var expanded: [String] = []
        for name in Self.files(names) {
            guard let path = SSHConfigTokens.expandVariables(name, { environment[$0] }), let path = tokens.expand(path)
            else { throw VTError(.usage, "token or variable without a value in known_hosts file '\(name)'") }
            expanded.append(path)
        }
        return expanded
    }
}
