import Core
import Services

/// The configuration of a host, as `ssh -G` prints it (dump_client_config in readconf.c).
struct SSHConfigurationText {
    let run: SSHRun
    let plan: SSHPlan

    private var line: SSHCommandLine { run.line }
    private var options: SSHOptions { run.options }
    private var forwarding: ForwardRequest { run.forwarding }

    /// The options that vt honors, in the order and format of `ssh -G`.
    ///
    /// - Throws: `usage` for a selection of algorithms without supported ones, and for unknown tokens.
    func text() throws(VTError) -> String {
        var lines = [
            "host \(line.host)",
            "user \(plan.user)",
            "hostname \(plan.endpoint.host)",
            "port \(plan.endpoint.port)",
            "addressfamily \(plan.addressFamily.map { $0 == .ipv4 ? "inet" : "inet6" } ?? "any")",
            "batchmode \(options.isBatch ? "yes" : "no")",
            "canonicalizefallbacklocal \(flag("canonicalizefallbacklocal", otherwise: true) ? "yes" : "no")",
            "canonicalizehostname \(canonicalization)",
        ]
        lines += flags + numbers
        lines += try strings()
        lines += forwarding.forwards.filter { $0.target == nil }.map(Self.line)
        for side in [Forward.Side.local, .remote] {
            lines += forwarding.forwards.filter { $0.side == side && $0.target != nil }.map(Self.line)
        }
        lines += try files()
        lines += environmentLines
        lines.append("connecttimeout \(plan.limits.connectTimeout.components.seconds)")
        lines += route
        return lines.joined(separator: "\n")
    }

    private func value(_ name: String) -> String? {
        options.settings.first { $0.name == name }?.value
    }

    private func values(_ name: String) -> [String] {
        options.settings.filter { $0.name == name }.map(\.value)
    }

    // MARK: - Flags and numbers

    private var flags: [String] {
        let request = forwarding.options
        let flags: [(String, Bool)] = [
            ("checkhostip", plan.hostKeyLookup.checksAddress),
            // "-W" implies both.
            ("clearallforwardings", options.forwarding.clearsForwards ?? (line.standardForward != nil)),
            ("exitonforwardfailure", flag("exitonforwardfailure", otherwise: line.standardForward != nil)),
            ("gatewayports", request.acceptsFromAnywhere),
            ("hashknownhosts", plan.hostKeyLookup.hashesNames),
            ("identitiesonly", plan.credentials.isLimitedToIdentities),
            ("kbdinteractiveauthentication", asksQuestions),
            ("passwordauthentication", flag("passwordauthentication", otherwise: true)),
            ("permitlocalcommand", options.permitsLocalCommand),
            ("proxyusefdpass", options.connection.passesDescriptor),
        ]
        let later: [(String, Bool)] = [
            ("stdinnull", options.readsNoInput),
            ("forkafterauthentication", options.continuesInBackground),
            ("streamlocalbindunlink", request.replacesSockets),
        ]
        let text = { (name: String, isSet: Bool) in "\(name) \(isSet ? "yes" : "no")" }
        return flags.map(text) + [
            "pubkeyauthentication \(pubkeyAuthentication)",
            "requesttty \(terminalText)",
            "sessiontype \(line.isSubsystem ? "subsystem" : options.sessionType.rawValue)",
        ] + later.map(text) + [
            "stricthostkeychecking \(hostKeyChecking)"
        ]
    }

    private var hostKeyChecking: String {
        switch plan.hostKeyPolicy {
        case .acceptNew: "accept-new"
        case .ask: "ask"
        case .strict, .pin: "true"
        }
    }

    private func flag(_ name: String, otherwise standard: Bool) -> Bool {
        value(name).flatMap(SSHConfigValue.flag) ?? standard
    }

    /// The value of KbdInteractiveAuthentication, which has older names.
    private var asksQuestions: Bool {
        let names = ["kbdinteractiveauthentication", "challengeresponseauthentication", "skeyauthentication"]
        let setting = options.settings.first { names.contains($0.name) }
        return setting.flatMap { SSHConfigValue.flag($0.value) } ?? true
    }

    private var pubkeyAuthentication: String {
        let value = value("pubkeyauthentication")?.lowercased() ?? "yes"
        return ["unbound", "host-bound"].contains(value) ? value : "\(SSHConfigValue.flag(value) ?? true)"
    }

    private var canonicalization: String {
        let value = value("canonicalizehostname")?.lowercased() ?? "no"
        return value == "always" ? value : "\(SSHConfigValue.flag(value) ?? false)"
    }

    private var terminalText: String {
        switch options.terminal ?? .auto {
        case .yes: "true"
        case .no: "false"
        case .auto, .force: (options.terminal ?? .auto).rawValue
        }
    }

    private var numbers: [String] {
        [
            "canonicalizemaxdots \(value("canonicalizemaxdots") ?? "1")",
            "numberofpasswordprompts \(options.promptLimit)",
            "requiredrsasize \(plan.hostKeyLookup.minimumRSABits ?? 1024)",
            "serveralivecountmax \(plan.limits.keepAliveCount)",
            "serveraliveinterval \(plan.limits.keepAliveInterval.components.seconds)",
        ]
    }

    // MARK: - Strings

    private func strings() throws(VTError) -> [String] {
        let lists = try run.context.world.algorithms()
        var texts: [(String, String?)] = [
            ("bindaddress", plan.bindAddress), ("bindinterface", plan.bindInterface),
            ("ciphers", try text(.cipher, lists)), ("hostkeyalgorithms", try text(.hostKey, lists)),
            ("hostkeyalias", plan.hostKeyLookup.alias?.lowercased()),
            ("identityagent", try value("identityagent").map(expandedAgent)), ("ignoreunknown", value("ignoreunknown")),
            ("kexalgorithms", try text(.keyExchange, lists)),
            ("knownhostscommand", options.settings.first { $0.name == "knownhostscommand" }?.text),
            ("localcommand", options.localCommand),
        ]
        texts.append(("remotecommand", try options.remoteCommand.map(run.host.tokens.expand(command:))))
        texts += [
            ("loglevel", Self.logLevel(line, options)), ("macs", try text(.mac, lists)),
            ("preferredauthentications", value("preferredauthentications")),
            ("pubkeyacceptedalgorithms", try text(.userKey, lists)),
            ("revokedhostkeys", plan.hostKeyLookup.revokedKeys.flatMap { _ in value("revokedhostkeys") }),
            ("tag", value("tag")),
        ]
        return texts.compactMap { name, text in text.map { "\(name) \($0)" } }
    }

    private func text(_ kind: AlgorithmKind, _ lists: [AlgorithmKind: AlgorithmList]) throws(VTError) -> String? {
        guard var list = lists[kind] else { return nil }
        list.standard += plan.allowedAlgorithms.filter(list.supported.contains)
        let names = try plan.algorithms[kind].map { setting throws(VTError) in
            try list.selected(by: setting, as: kind)
        }
        return (names ?? list.standard).joined(separator: ",")
    }

    private func expandedAgent(_ name: String) throws(VTError) -> String {
        let isSpecial = ["none", "ssh_auth_sock"].contains(name.lowercased())
        return isSpecial ? name : try run.host.tokens.expand(name, as: "agent socket")
    }

    /// The log level in the form that `ssh -G` prints; `SILENT` means that not even failures are reported.
    static func logLevel(_ line: SSHCommandLine, _ options: SSHOptions) -> String {
        if line.isQuiet { return "SILENT" }
        switch line.verbosity {
        case 0: break
        case 1: return "DEBUG"
        case 2: return "DEBUG2"
        default: return "DEBUG3"
        }
        let level = options.settings.first { $0.name == "loglevel" }?.value.uppercased() ?? "INFO"
        return ["DEBUG1": "DEBUG", "QUIET": "SILENT"][level] ?? level
    }

    // MARK: - Forwards

    private static func line(_ forward: Forward) -> String {
        let listener =
            switch forward.listener {
            case .socket(let path): path
            case .port(let port, nil): "\(port)"
            case .port(let port, let address?): "[\(address.isEmpty ? "*" : address)]:\(port)"
            }
        switch forward.target {
        case nil: return "dynamicforward \(listener)"
        case .socket(let path): return "\(name(of: forward)) \(listener) \(path)"
        case .endpoint(let endpoint): return "\(name(of: forward)) \(listener) [\(endpoint.host)]:\(endpoint.port)"
        }
    }

    private static func name(of forward: Forward) -> String {
        forward.side == .local ? "localforward" : "remoteforward"
    }

    // MARK: - Lists

    private func files() throws(VTError) -> [String] {
        var identities = values("identityfile").withoutRepetition
        if identities.isEmpty {
            identities =
                run.host.profile == nil ? PlanResolver.usualIdentities : plan.credentials.identities.map(\.path)
        }
        var lines = identities.map { "identityfile \($0)" }
        lines.append("canonicaldomains \(value("canonicaldomains") ?? "none")")
        lines += values("certificatefile").withoutRepetition.map { "certificatefile \($0)" }
        let lookup = plan.hostKeyLookup
        let files = [("user", lookup.userFiles ?? lookup.additionalFile.map { [$0] }), ("global", lookup.globalFiles)]
        for case (let owner, let paths?) in files.reversed() {
            lines.append("\(owner)knownhostsfile \(paths.isEmpty ? "none" : paths.joined(separator: " "))")
        }
        return lines
    }

    private var environmentLines: [String] {
        var names: [String] = []
        for name in options.offeredNames {
            if name.hasPrefix("-") {
                names.removeAll { Wildcard.matches(String(name.dropFirst()), $0) }
            } else {
                names.append(name)
            }
        }
        return names.map { "sendenv \($0)" } + options.environment.map { "setenv \($0.name)=\($0.value)" }
    }

    // MARK: - Route

    private var route: [String] {
        switch plan.route {
        case .direct: return []
        case .proxyCommand(let command):
            let setting = options.settings.first { $0.name == "proxycommand" }
            return ["proxycommand \(setting?.text ?? command)"]
        case .jump:
            let setting = options.settings.first { $0.name == "proxyjump" && $0.value.lowercased() != "none" }
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
