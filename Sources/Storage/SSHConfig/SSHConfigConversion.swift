import Core
import System

/// Converts the lines that apply to a host into settings.
struct SSHConfigConversion {
    let account: Account
    let home: String?
    let environment: Environment

    /// - Throws: `data.invalid` with file and line for a malformed value.
    func settings(of evaluation: SSHConfigEvaluation) throws(VTError) -> SSHHostSettings {
        var settings = SSHHostSettings(alias: evaluation.originalHost, hostName: evaluation.hostName.lowercased())
        settings.notes = evaluation.notes
        settings.warnings = evaluation.warnings
        settings.options = evaluation.settings.map(\.numericSetting)
        for line in evaluation.settings {
            guard let value = line.arguments.first ?? (line.keyword == "proxycommand" ? line.rest : nil) else {
                throw line.error("'\(line.spelling)' has no value")
            }
            try line.check()
            try apply(line, value, to: &settings)
            try applyUnsaved(line, value, to: &settings)
        }
        if let user = evaluation.value(of: "user") { settings.user = user }
        if let port = evaluation.value(of: "port").flatMap(Destination.parsePort) { settings.port = port }
        if let alias = evaluation.value(of: "hostkeyalias") { settings.hostKeyAlias = alias }
        // The first jump host or command applies; "ProxyJump none" allows a later command.
        let route = evaluation.settings.first {
            $0.keyword == "proxycommand" || ($0.keyword == "proxyjump" && $0.rest.lowercased() != "none")
        }
        if let route, route.keyword == "proxyjump" {
            settings.proxyCommand = nil
            settings.hops = try hops(route, tokens(settings))
        }
        try expandIdentities(&settings, evaluation)
        if let line = evaluation["userknownhostsfile"] { try applyKnownHosts(line, to: &settings) }
        return settings
    }

    /// The tokens, whose values are known only after all lines have been applied.
    private func tokens(_ settings: SSHHostSettings) -> SSHConfigTokens {
        let machine = LinuxProcess.hostName
        var values: [Character: String] = [
            "k": settings.hostKeyAlias?.lowercased() ?? settings.alias, "L": String(machine.prefix { $0 != "." }),
            "l": machine,
            "h": settings.hostName, "i": String(LinuxProcess.userID), "n": settings.alias,
            "p": String(settings.port ?? Endpoint.standardPort), "r": settings.user ?? account.name, "u": account.name,
        ]
        values["d"] = home
        return SSHConfigTokens(values)
    }

    private func apply(
        _ line: SSHConfigLine,
        _ value: String,
        to settings: inout SSHHostSettings
    ) throws(VTError) {
        switch line.keyword {
        case "hostname":
            guard Destination.isHost(settings.hostName) else { throw line.error("invalid host name '\(value)'") }
        case "user":
            guard Destination.isUser(value) else { throw line.error("invalid user name '\(value)'") }
            settings.user = value
        case "port":
            guard let port = Destination.parsePort(value) else { throw line.error("invalid port '\(value)'") }
            settings.port = port
        case "identitiesonly":
            settings.isLimitedToIdentities = try flag(line, value)
        case "proxyjump", "ignoreunknown":
            break
        case "proxycommand":
            settings.proxyCommand = line.rest.lowercased() == "none" ? nil : line.rest
        case "connecttimeout":
            settings.connectTimeout = try duration(line, value)
        case "serveraliveinterval":
            settings.keepAliveInterval = try duration(line, value)
        case "serveralivecountmax":
            guard let count: Int = NumberText.whole(value) else { throw line.error("invalid number '\(value)'") }
            settings.keepAliveCount = max(1, count)
        case "setenv":
            try applyEnvironment(line, to: &settings)
        default:
            try applyTrustOrAgent(line, value, to: &settings)
        }
    }

    private func applyTrustOrAgent(
        _ line: SSHConfigLine,
        _ value: String,
        to settings: inout SSHHostSettings
    ) throws(VTError) {
        switch (line.keyword, value.lowercased()) {
        case ("identityfile", "none"), ("userknownhostsfile", "none"), ("userknownhostsfile", "/dev/null"):
            settings.leftOut.append("\(line.spelling) \(value)")
        case ("identityfile", _):
            break
        case ("identityagent", "none"):
            settings.agent = false
        case ("identityagent", "ssh_auth_sock"):
            break
        case ("stricthostkeychecking", "yes"), ("stricthostkeychecking", "true"):
            settings.hostKeyPolicy = .strict
        case ("stricthostkeychecking", "ask"):
            settings.hostKeyPolicy = .ask
        case ("stricthostkeychecking", "accept-new"):
            settings.hostKeyPolicy = .acceptNew
        case ("stricthostkeychecking", "no"), ("stricthostkeychecking", "off"), ("stricthostkeychecking", "false"):
            settings.hostKeyPolicy = .acceptNew
            settings.leftOut.append("\(line.spelling) \(value) (imported as accept-new)")
        case ("stricthostkeychecking", _):
            throw line.error("invalid value '\(value)' for StrictHostKeyChecking")
        case ("userknownhostsfile", _):
            // Its tokens are expanded when all lines have been applied.
            break
        default:
            settings.leftOut.append(line.spelling)
        }
    }

    /// Applies settings that profiles do not support, which are therefore omitted when a profile is created.
    private func applyUnsaved(
        _ line: SSHConfigLine,
        _ value: String,
        to settings: inout SSHHostSettings
    ) throws(VTError) {
        switch line.keyword {
        case "userknownhostsfile": settings.userKnownHosts = line.arguments
        case "globalknownhostsfile": settings.globalKnownHosts = line.arguments
        case "identityagent":
            if !["none", "ssh_auth_sock"].contains(value.lowercased()) { settings.agentSocket = value }
        case "hostkeyalias": settings.hostKeyAlias = value
        case "hashknownhosts": settings.hashesKnownHosts = try flag(line, value)
        case "addressfamily":
            switch value.lowercased() {
            case "any": break
            case "inet": settings.addressFamily = .ipv4
            case "inet6": settings.addressFamily = .ipv6
            default: throw line.error("invalid value '\(value)' for AddressFamily")
            }
        default: break
        }
    }

    // MARK: - Values

    private func flag(_ line: SSHConfigLine, _ value: String) throws(VTError) -> Bool {
        guard let flag = SSHConfigValue.flag(value) else { throw line.error("'\(value)' is neither yes nor no") }
        return flag
    }

    private func duration(_ line: SSHConfigLine, _ value: String) throws(VTError) -> Duration {
        guard let duration = SSHConfigValue.duration(value) else { throw line.error("invalid time '\(value)'") }
        return duration
    }

    /// Parses comma-separated `[user@]host[:port]` or ssh:// addresses.
    private func hops(_ line: SSHConfigLine, _ tokens: SSHConfigTokens) throws(VTError) -> [Destination] {
        guard let text = tokens.expand(line.rest) else { throw line.error("unknown token in '\(line.rest)'") }
        var hops: [Destination] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            do throws(VTError) {
                hops.append(try Destination(parsing: String(part)))
            } catch {
                throw line.error("invalid jump host '\(part)'")
            }
        }
        return hops
    }

    private func applyEnvironment(_ line: SSHConfigLine, to settings: inout SSHHostSettings) throws(VTError) {
        for word in line.arguments {
            do throws(VTError) {
                let variable = try EnvironmentVariable(word)
                if settings.environment[variable.name] == nil { settings.environment[variable.name] = variable.value }
            } catch {
                throw line.error(error.message)
            }
        }
    }

    /// Uses the first file that is not read by default; a profile can have only one.
    private func applyKnownHosts(_ line: SSHConfigLine, to settings: inout SSHHostSettings) throws(VTError) {
        guard let first = line.arguments.first?.lowercased(), !["none", "/dev/null"].contains(first) else { return }
        let usual = ["~", home].compactMap(\.self).flatMap { ["\($0)/.ssh/known_hosts", "\($0)/.ssh/known_hosts2"] }
        let files = line.arguments.filter { !usual.contains($0) }
        guard let first = files.first else { return }
        guard let path = SSHConfigTokens.expandVariables(first, { environment[$0] }),
            let path = tokens(settings).expand(path)
        else { throw line.error("token or variable without a value in '\(first)'") }
        settings.knownHosts = path
        if files.count > 1 { settings.leftOut.append("\(line.spelling) \(files.dropFirst().joined(separator: " "))") }
    }

    private func expandIdentities(
        _ settings: inout SSHHostSettings,
        _ evaluation: SSHConfigEvaluation
    ) throws(VTError) {
        let tokens = tokens(settings)
        var expanded: [String] = []
        for line in evaluation.settings where line.keyword == "identityfile" {
            guard let identity = line.arguments.first, identity.lowercased() != "none" else { continue }
            guard let path = SSHConfigTokens.expandVariables(identity, { environment[$0] }),
                let path = tokens.expand(path)
            else { throw line.error("token or variable without a value in '\(identity)'") }
            if !expanded.contains(path) { expanded.append(path) }
        }
        settings.identities = expanded
    }
}
