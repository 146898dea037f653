import Core

/// A command that connects to a server with OpenSSH's client instead of libssh2, through a profile with `--via`.
enum OpenSSHCommand {
    /// The identities that ssh(1) tries without an option.
    private static let usualIdentities = ["/.ssh/id_ed25519", "/.ssh/id_ecdsa", "/.ssh/id_rsa"]

    /// Returns the command, which changes the server's profile, or adds one named like the server.
    static func text(for plan: SSHPlan) -> String {
        let (verb, name) = plan.profileName.map { ("edit", $0) } ?? ("add", plan.name)
        return "vt profile \(verb) \(quoted(name)) --via \(quoted(via(plan)))"
    }

    private static func via(_ plan: SSHPlan) -> String {
        var words = ["ssh"]
        if plan.endpoint.port != Endpoint.standardPort { words += ["-p", "\(plan.endpoint.port)"] }
        for identity in plan.credentials.identities where !usualIdentities.contains(where: identity.path.hasSuffix) {
            words += ["-i", quoted(identity.path)]
        }
        switch plan.route {
        case .direct: break
        case .jump: words += ["-J", quoted(plan.hops.map(\.destination).joined(separator: ","))]
        case .proxyCommand(let command): words += ["-o", quoted("ProxyCommand=\(command)")]
        }
        if plan.hostKeyPolicy == .acceptNew { words += ["-o", "StrictHostKeyChecking=accept-new"] }
        words += [quoted("\(plan.user)@\(plan.endpoint.host)"), "{line}"]
        return words.joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        ByteString(word).shellQuoted.repairedText
    }
}
