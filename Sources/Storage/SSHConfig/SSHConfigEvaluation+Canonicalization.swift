import Core
import System

/// The canonicalization of host names (ssh_config(5), CanonicalizeHostname; resolve_canonicalize in OpenSSH's ssh.c).
extension SSHConfigEvaluation {
    /// When names are canonicalized.
    enum Canonicalization {
        case no
        /// Unless a jump host or proxy command is used.
        case direct
        case always
    }

    var canonicalization: Canonicalization {
        switch value(of: "canonicalizehostname")?.lowercased() {
        case nil, "no", "false": .no
        case "always": .always
        case _?: .direct
        }
    }

    /// Returns the name with the first domain of CanonicalDomains in which it exists, or the name itself.
    ///
    /// - Throws: `host.unresolved` if the name must exist in a domain (CanonicalizeFallbackLocal); errors from running
    ///   getent(1).
    func canonicalName(of name: String) throws(VTError) -> String {
        guard let program, NumericAddress.canonical(name) == nil, canonicalization == .always || !usesProxy else {
            return name
        }
        let dots = value(of: "canonicalizemaxdots").flatMap { Int($0) } ?? 1
        guard name.count(where: { $0 == "." }) <= dots else { return name }
        let domains = given["canonicaldomains"].map { $0.split(separator: " ").map(String.init) }
        for domain in domains ?? self["canonicaldomains"]?.words ?? [] where domain.lowercased() != "none" {
            let candidate = "\(name).\(domain)"
            guard ShellSafety.isSafe(candidate) else { continue }
            if try program.succeeds("getent ahosts \(candidate).") { return candidate.lowercased() }
        }
        guard value(of: "canonicalizefallbacklocal").flatMap(SSHConfigValue.flag) == false else { return name }
        throw VTError(
            .hostUnresolved,
            "'\(name)' does not exist in any of the domains of CanonicalDomains",
            hint: "see CanonicalizeFallbackLocal in ssh_config(5)"
        )
    }

    private var usesProxy: Bool {
        ["proxycommand", "proxyjump"].contains { (value(of: $0) ?? "none").lowercased() != "none" }
    }
}
