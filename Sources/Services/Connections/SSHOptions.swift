import Core

/// The effects of ssh_config(5) options, as passed by programs that call ssh(1): `-o NAME=VALUE`.
///
/// As with ssh, the first occurrence of an option applies. Options without an equivalent are accepted if ignoring them
/// is harmless, and rejected if it is not.
package struct SSHOptions: Sendable {
    package var connection = PlanOptions()
    package var environment: [EnvironmentVariable] = []
    /// Patterns for the names of environment variables to offer to the server; `-PATTERN` removes the earlier patterns
    /// that it matches.
    package var offeredNames: [String] = []
    /// Nil means that the option was not given.
    package var terminal: TerminalRequest?
    package var readsNoInput = false
    /// Whether to print only errors (LogLevel).
    package var isQuiet = false
    package var forwarding = ForwardSettings()
    /// Whether to run no program (SessionType).
    package var runsNoProgram = false
    /// Whether vt continues in the background once it is connected (ForkAfterAuthentication).
    package var continuesInBackground = false

    /// When to request a terminal (ssh_config(5), RequestTTY).
    package enum TerminalRequest: String, Sendable {
        case no
        /// For a login shell, if standard input is a terminal.
        case auto
        /// If standard input is a terminal.
        case yes
        case force
    }

    private var given: Set<String> = []

    /// Options for which every occurrence applies, not only the first.
    private static let cumulative: Set<String> = [
        "identityfile", "sendenv", "localforward", "remoteforward", "dynamicforward",
    ]

    package init() {}

    /// Applies an option, `NAME=VALUE` or `NAME VALUE`.
    ///
    /// - Throws: `usage` for an unknown option, and for a malformed or unsupported value.
    package mutating func apply(_ text: String) throws(VTError) {
        let trimmed = text.drop { $0 == " " || $0 == "\t" }
        let keyword = trimmed.prefix { $0 != "=" && $0 != " " && $0 != "\t" }
        var rest = trimmed[keyword.endIndex...].drop { $0 == " " || $0 == "\t" }
        if rest.first == "=" { rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" } }
        var value = String(rest)
        let written = value
        if value.count > 1, value.hasPrefix("\""), value.hasSuffix("\"") {
            value = String(value.dropFirst().dropLast())
        }
        guard !keyword.isEmpty, !value.isEmpty else {
            throw VTError(.usage, "invalid option '\(text)': expected NAME=VALUE")
        }
        let name = keyword.lowercased()
        guard given.insert(name).inserted || Self.cumulative.contains(name) else { return }
        let option = Option(spelling: String(keyword), name: name, value: value, text: written)
        if try applyConnection(option) { return }
        if try applyTrust(option) { return }
        if try applyProgram(option) { return }
        if try forwarding.apply(name, value.split { $0 == " " || $0 == "\t" }.map(String.init)) { return }
        guard let allowed = Self.ineffective[name] else {
            throw VTError(.usage, "unknown ssh option '\(keyword)'", hint: "see ssh_config(5)")
        }
        guard allowed.isEmpty || allowed.contains(value.lowercased()) else { throw option.refused() }
    }

    /// An option as given.
    private struct Option {
        let spelling: String
        /// In lower case.
        let name: String
        /// The value without enclosing quotes.
        let value: String
        /// The value as given.
        let text: String

        func refused(_ reason: String = "not supported by vt") -> VTError {
            VTError(.usage, "cannot set '\(spelling)=\(value)': \(reason)")
        }

        func malformed() -> VTError {
            VTError(.usage, "invalid value '\(value)' for '\(spelling)'", hint: "see ssh_config(5)")
        }

        func flag() throws(VTError) -> Bool {
            guard let flag = SSHConfigValue.flag(value) else { throw malformed() }
            return flag
        }

        func words() throws(VTError) -> [String] {
            guard let words = SSHConfigValue.words(Substring(text)), !words.isEmpty else { throw malformed() }
            return words
        }

        func duration() throws(VTError) -> Duration {
            guard let duration = SSHConfigValue.duration(value) else { throw malformed() }
            return duration
        }
    }

    // MARK: - Connection

    private mutating func applyConnection(_ option: Option) throws(VTError) -> Bool {
        switch option.name {
        case "hostname":
            guard Destination.isHost(option.value) else { throw option.malformed() }
            connection.hostName = option.value
        case "user":
            guard Destination.isUser(option.value) else { throw option.malformed() }
            connection.user = option.value
        case "port":
            guard let port = Destination.parsePort(option.value) else { throw option.malformed() }
            connection.port = port
        case "addressfamily":
            switch option.value.lowercased() {
            case "any": connection.addressFamily = nil
            case "inet": connection.addressFamily = .ipv4
            case "inet6": connection.addressFamily = .ipv6
            default: throw option.malformed()
            }
        case "connecttimeout":
            if !["none", "0"].contains(option.value.lowercased()) { connection.connectTimeout = try option.duration() }
        case "serveraliveinterval":
            connection.keepAliveInterval = try option.duration()
        case "serveralivecountmax":
            guard let count: Int = NumberText.whole(option.value) else { throw option.malformed() }
            connection.keepAliveCount = max(1, count)
        case "controlpath":
            // Other values only determine where ssh creates its socket.
            if option.value.lowercased() == "none" { connection.shareTimeout = .zero }
        case "proxycommand":
            connection.route = option.value.lowercased() == "none" ? .direct : .proxyCommand(option.value)
        case "proxyjump":
            connection.route = option.value.lowercased() == "none" ? .direct : .jump(try hops(option))
        default:
            return false
        }
        return true
    }

    /// Profiles or `[USER@]HOST[:PORT]`, comma-separated.
    private func hops(_ option: Option) throws(VTError) -> [Target] {
        var hops: [Target] = []
        for part in option.value.split(separator: ",", omittingEmptySubsequences: false) {
            hops.append(try Target(parsing: String(part)))
        }
        return hops
    }

    // MARK: - Trust and login

    private mutating func applyTrust(_ option: Option) throws(VTError) -> Bool {
        switch option.name {
        case "identityfile":
            if option.value.lowercased() != "none" { connection.identities.append(option.value) }
        case "identitiesonly":
            connection.usesAgent = try !option.flag()
        case "identityagent":
            switch option.value.lowercased() {
            case "none": connection.usesAgent = false
            case "ssh_auth_sock": break
            default: connection.agentSocket = option.value
            }
        case "stricthostkeychecking":
            switch option.value.lowercased() {
            case "yes", "true", "ask": connection.hostKeyPolicy = .strict
            // Even with `no`, a changed key is rejected.
            case "accept-new", "no", "off", "false": connection.hostKeyPolicy = .acceptNew
            default: throw option.malformed()
            }
        case "userknownhostsfile":
            connection.userKnownHosts = try option.words()
        case "globalknownhostsfile":
            connection.globalKnownHosts = try option.words()
        case "hostkeyalias":
            connection.hostKeyAlias = option.value
        case "hashknownhosts":
            connection.hashesKnownHosts = try option.flag()
        case "passwordauthentication":
            if try !option.flag() { connection.methods.removeAll { $0 != .publicKey } }
        case "pubkeyauthentication":
            if try !option.flag() { connection.methods.removeAll { $0 == .publicKey } }
        case "preferredauthentications":
            let methods = option.value.lowercased().split(separator: ",")
                .compactMap { AuthenticationMethod(rawValue: String($0)) }
            guard !methods.isEmpty else { throw option.refused() }
            connection.methods = methods.filter(connection.methods.contains)
        default:
            return false
        }
        return true
    }

    // MARK: - Program

    private mutating func applyProgram(_ option: Option) throws(VTError) -> Bool {
        switch option.name {
        case "sendenv":
            offeredNames += try option.words()
        case "setenv":
            for word in try option.words() { environment.append(try EnvironmentVariable(word)) }
        case "requesttty":
            switch option.value.lowercased() {
            case "true": terminal = .yes
            case "false": terminal = .no
            case let word:
                guard let request = TerminalRequest(rawValue: word) else { throw option.malformed() }
                terminal = request
            }
        case "loglevel":
            isQuiet = ["quiet", "fatal", "error"].contains(option.value.lowercased())
        case "stdinnull":
            readsNoInput = try option.flag()
        case "sessiontype":
            guard ["none", "default"].contains(option.value.lowercased()) else { throw option.refused("use -s") }
            runsNoProgram = option.value.lowercased() == "none"
        case "forkafterauthentication":
            continuesInBackground = try option.flag()
        default:
            return false
        }
        return true
    }

    // MARK: -

    /// Ignored options, each with the values that are harmless to ignore; an empty list means all values.
    private static let ineffective: [String: [String]] = [
        // vt never prompts, shares no connections with ssh, and uses no display.
        "batchmode": [], "numberofpasswordprompts": [], "controlmaster": [], "controlpersist": [],
        "compression": [], "visualhostkey": [], "tcpkeepalive": [], "ipqos": [], "protocol": ["2"],
        "connectionattempts": [], "fingerprinthash": [], "ignoreunknown": [], "rekeylimit": [], "requiredrsasize": [],
        "xauthlocation": [],
        // Features that vt lacks; the options are accepted if they disable them.
        "forwardagent": ["no"], "forwardx11": ["no"], "forwardx11trusted": [], "forwardx11timeout": [],
        "tunnel": ["no"], "permitlocalcommand": ["no"], "addkeystoagent": ["no"], "escapechar": ["none"],
        "enableescapecommandline": ["no"],
        "remotecommand": ["none"],
        // Authentication methods that vt either lacks or always tries.
        "gssapiauthentication": [], "gssapidelegatecredentials": ["no"], "hostbasedauthentication": [],
        "kbdinteractiveauthentication": [], "challengeresponseauthentication": [], "pubkeyauthentication": ["yes"],
        // vt always checks host keys.
        "nohostauthenticationforlocalhost": [], "checkhostip": ["no"], "updatehostkeys": [],
        "verifyhostkeydns": ["no"],
    ]
}
