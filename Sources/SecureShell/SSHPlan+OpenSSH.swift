import Core

extension SSHPlan {
    /// The identities that ssh(1) tries without an option.
    private static let usualIdentities = ["/.ssh/id_ed25519", "/.ssh/id_ecdsa", "/.ssh/id_rsa"]

    /// A command that changes the server's profile, or adds one named like the server, so that vt connects with OpenSSH's
    /// client instead of libssh2.
    var openSSHCommand: String {
        let (verb, name) = profileName.map { ("edit", $0) } ?? ("add", name)
        return "vt profile \(verb) \(Self.quoted(name)) --via \(Self.quoted(via))"
    }

    private var via: String {
        var words = ["ssh"]
        if endpoint.port != Endpoint.standardPort { words += ["-p", "\(endpoint.port)"] }
        for identity in credentials.identities where !Self.usualIdentities.contains(where: identity.path.hasSuffix) {
            words += ["-i", Self.quoted(identity.path)]
        }
        switch route {
        case .direct: break
        case .jump: words += ["-J", Self.quoted(hops.map(\.destination).joined(separator: ","))]
        case .proxyCommand(let command): words += ["-o", Self.quoted("ProxyCommand=\(command)")]
        }
        if hostKeyPolicy == .acceptNew { words += ["-o", "StrictHostKeyChecking=accept-new"] }
        words += [Self.quoted("\(user)@\(endpoint.host)"), "{line}"]
        return words.joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        ByteString(word).shellQuoted.repairedText
    }
}
