import Core
import Services
import Storage

/// The configuration of a host, as `ssh -G` prints it.
struct SSHConfigurationText {
    let run: SSHRun
    let plan: SSHPlan

    /// - Throws: `usage` for a selection of algorithms without supported ones, and for unknown tokens.
    func text() throws(VTError) -> String {
        (["host \(run.line.host)"] + (try effective()).lines + route).joined(separator: "\n")
    }

    /// The options of the run, with the values that are in effect.
    private func effective() throws(VTError) -> HostSettings {
        var settings = run.options
        settings.user = plan.user
        settings.hostName = plan.endpoint.host
        settings.port = plan.endpoint.port
        settings.hostKeyPolicy = plan.hostKeyPolicy
        settings.connectTimeout = plan.limits.connectTimeout
        settings.keepAliveInterval = plan.limits.keepAliveInterval
        settings.keepAliveCount = plan.limits.keepAliveCount
        if run.line.isSubsystem { settings.sessionType = .subsystem }
        if run.line.standardForward != nil {
            // "-W" implies both.
            settings.clearsForwards = settings.clearsForwards ?? true
            settings.exitsOnFailure = settings.exitsOnFailure ?? true
        }
        settings.forwards = run.forwarding.forwards
        let lists = try run.context.world.algorithms()
        for kind in AlgorithmKind.allCases { settings.algorithms[kind] = try algorithms(kind, lists) }
        let tokens = run.host.tokens
        settings.agentSocket = try settings.occurrence(of: "identityagent").map { setting throws(VTError) in
            let isSpecial = ["none", "ssh_auth_sock"].contains(setting.value.lowercased())
            return isSpecial ? setting.value : try tokens.expand(setting.value, as: "agent socket")
        }
        settings.remoteCommand = try settings.remoteCommand.map(tokens.expand(command:))
        settings.logLevel = Self.logLevel(run.line, settings)
        let identities = settings.values("identityfile").withoutRepetition
        let usual = run.host.profile == nil ? PlanResolver.usualIdentities : plan.credentials.identities.map(\.path)
        settings.identities = identities.isEmpty ? usual : identities
        let lookup = plan.hostKeyLookup
        settings.userKnownHosts = lookup.userFiles ?? lookup.additionalFile.map { [$0] }
        settings.globalKnownHosts = lookup.globalFiles
        return settings
    }

    private func algorithms(_ kind: AlgorithmKind, _ lists: [AlgorithmKind: AlgorithmList]) throws(VTError) -> String? {
        guard var list = lists[kind] else { return nil }
        list.standard += plan.allowedAlgorithms.filter(list.supported.contains)
        let names = try plan.algorithms[kind].map { setting throws(VTError) in
            try list.selected(by: setting, as: kind)
        }
        return (names ?? list.standard).joined(separator: ",")
    }

    /// The log level in the form that `ssh -G` prints; `SILENT` means that not even failures are reported.
    static func logLevel(_ line: SSHCommandLine, _ options: HostSettings) -> String {
        if line.isQuiet { return "SILENT" }
        switch line.verbosity {
        case 0: break
        case 1: return "DEBUG"
        case 2: return "DEBUG2"
        default: return "DEBUG3"
        }
        let level = options.logLevel?.uppercased() ?? "INFO"
        return ["DEBUG1": "DEBUG", "QUIET": "SILENT"][level] ?? level
    }

    // MARK: - Route

    private var route: [String] {
        switch plan.route {
        case .direct: return []
        case .proxyCommand(let command):
            return ["proxycommand \(run.options.occurrence(of: "proxycommand")?.text ?? command)"]
        case .jump:
            let setting = run.options.occurrence(of: "proxyjump").flatMap { $0.value.lowercased() == "none" ? nil : $0 }
            let hops = setting?.value.split(separator: ",").map(String.init) ?? plan.hops.map(\.destination)
            return ["proxyjump \((hops.dropLast() + hops.suffix(1).map(Self.jump)).joined(separator: ","))"]
        }
    }

    /// The last jump host in the form that `ssh -G` prints: an address in brackets, and no URL.
    private static func jump(_ text: String) -> String {
        guard let hop = try? Destination(parsing: text) else { return text }
        let isAddress = hop.host.contains(":") || hop.host.allSatisfy { $0.isNumber || $0 == "." }
        return (hop.user.map { "\($0)@" } ?? "") + (isAddress ? "[\(hop.host)]" : hop.host)
            + (hop.port.map { ":\($0)" } ?? "")
    }
}
