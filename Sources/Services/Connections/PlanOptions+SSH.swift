import Core

/// The options of ssh_config(5) that determine how to connect.
extension PlanOptions {
    /// Applies an option; returns false if it does not determine how to connect.
    ///
    /// - Throws: `usage` for a malformed or unsupported value.
    mutating func apply(_ setting: SSHSetting) throws(VTError) -> Bool {
        if try applyAddress(setting) { return true }
        if try applyRoute(setting) { return true }
        if try applyKeys(setting) { return true }
        return try applyTrust(setting)
    }

    // MARK: - Connection

    private mutating func applyAddress(_ setting: SSHSetting) throws(VTError) -> Bool {
        let value = setting.value
        switch setting.name {
        case "hostname":
            guard Destination.isHost(value) else { throw setting.malformed() }
            hostName = value
        case "user":
            guard Destination.isUser(value) else { throw setting.malformed() }
            user = value
        case "port":
            guard let number = Destination.parsePort(value) else { throw setting.malformed() }
            port = number
        case "addressfamily":
            switch value.lowercased() {
            case "any": addressFamily = nil
            case "inet": addressFamily = .ipv4
            case "inet6": addressFamily = .ipv6
            default: throw setting.malformed()
            }
        case "bindaddress":
            bindAddress = value
        case "bindinterface":
            bindInterface = value
        case "connecttimeout":
            if !["none", "0"].contains(value.lowercased()) { connectTimeout = try setting.duration() }
        // "setuptimeout" and "protocolkeepalives" are Debian's names.
        case "serveraliveinterval", "setuptimeout", "protocolkeepalives":
            keepAliveInterval = try setting.duration()
        case "serveralivecountmax":
            guard let count: Int = NumberText.whole(value) else { throw setting.malformed() }
            keepAliveCount = max(1, count)
        default:
            return false
        }
        return true
    }

    private mutating func applyRoute(_ setting: SSHSetting) throws(VTError) -> Bool {
        let value = setting.value
        switch setting.name {
        case "controlpath":
            // Other values only determine where ssh creates its socket.
            if value.lowercased() == "none" { shareTimeout = .zero }
        case "controlmaster":
            // vt cannot ask whether a command may use the connection.
            if ["ask", "autoask"].contains(value.lowercased()) { shareTimeout = .zero }
        // The first jump host or command applies; "ProxyJump none" allows a later command.
        case "proxycommand":
            if case .jump = route { break }
            route = value.lowercased() == "none" ? .direct : .proxyCommand(setting.text)
        case "proxyusefdpass":
            passesDescriptor = try setting.flag()
        case "refuseconnection":
            throw VTError(.config, "the configuration refuses the connection: \(value)")
        case "proxyjump":
            if route != nil { break }
            route = value.lowercased() == "none" ? .direct : .jump(try Self.hops(value))
        default:
            return false
        }
        return true
    }

    /// Profiles or `[USER@]HOST[:PORT]`, comma-separated.
    private static func hops(_ text: String) throws(VTError) -> [Target] {
        var hops: [Target] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            hops.append(try Target(parsing: String(part)))
        }
        return hops
    }

    // MARK: - Authentication

    private mutating func applyKeys(_ setting: SSHSetting) throws(VTError) -> Bool {
        let value = setting.value
        switch setting.name {
        case "identityfile", "identityfile2":
            hasIdentityTokens = true
            if value.lowercased() != "none" { identities.append(value) }
        case "certificatefile":
            if value.lowercased() != "none" { certificates.append(value) }
        case "identitiesonly":
            isLimitedToIdentities = try setting.flag()
        case "identityagent":
            switch value.lowercased() {
            case "none": usesAgent = false
            case "ssh_auth_sock": break
            default: agentSocket = value
            }
        case "kbdinteractiveauthentication", "challengeresponseauthentication", "skeyauthentication",
            "tisauthentication":
            if try !setting.flag() { methods.removeAll { $0 == .keyboardInteractive } }
        case "passwordauthentication":
            if try !setting.flag() { methods.removeAll { $0 == .password } }
        case "pubkeyauthentication", "dsaauthentication":
            guard !["unbound", "host-bound"].contains(value.lowercased()) else { return true }
            if try !setting.flag() { methods.removeAll { $0 == .publicKey } }
        case "preferredauthentications":
            let preferred = value.lowercased().split(separator: ",")
                .compactMap { AuthenticationMethod(rawValue: String($0)) }
            methods = preferred.filter(methods.contains)
        default:
            return false
        }
        return true
    }

    // MARK: - Host keys and algorithms

    private mutating func applyTrust(_ setting: SSHSetting) throws(VTError) -> Bool {
        switch setting.name {
        case "stricthostkeychecking":
            switch setting.value.lowercased() {
            case "yes", "true": hostKeyPolicy = .strict
            case "ask": hostKeyPolicy = .ask
            // Even with `no`, a changed key is rejected.
            case "accept-new", "no", "off", "false": hostKeyPolicy = .acceptNew
            default: throw setting.malformed()
            }
        case "userknownhostsfile":
            userKnownHosts = setting.words
        case "globalknownhostsfile":
            globalKnownHosts = setting.words
        case "hostkeyalias":
            hostKeyAlias = setting.value
        case "hashknownhosts":
            hashesKnownHosts = try setting.flag()
        case "revokedhostkeys":
            if setting.value.lowercased() != "none" { revokedHostKeys = setting.value }
        case "knownhostscommand":
            knownHostsCommand = setting.words
        case "checkhostip":
            checksAddress = try setting.flag()
        case "requiredrsasize":
            guard let bits: Int = NumberText.whole(setting.value), bits > 0 else { throw setting.malformed() }
            minimumRSABits = bits
        case "pubkeyacceptedkeytypes":
            algorithms[.userKey] = setting.value
        case let name:
            guard let kind = AlgorithmKind.allCases.first(where: { $0.option == name }) else { return false }
            algorithms[kind] = setting.value
        }
        return true
    }
}
