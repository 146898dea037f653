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
    /// Whether the user is not to be asked (BatchMode).
    package var isBatch = false
    /// How many times a password is asked for (NumberOfPasswordPrompts).
    package var promptLimit = 3
    package var forwarding = ForwardSettings()
    package var sessionType = SessionType.standard
    /// The command to run instead of a login shell (RemoteCommand), with its tokens not yet expanded.
    package var remoteCommand: String?
    /// The command to run on this machine once vt is connected (LocalCommand), with its tokens not yet expanded.
    package var localCommand: String?
    /// Whether `localCommand` may run (PermitLocalCommand).
    package var permitsLocalCommand = false
    /// Whether vt continues in the background once it is connected (ForkAfterAuthentication).
    package var continuesInBackground = false
    /// The options that apply, in order.
    package private(set) var settings: [SSHSetting] = []
    /// The first option that has an effect once vt is connected, on the program or forwarding; nil if there is none.
    package private(set) var effect: SSHSetting?
    /// The options of the configuration that were ignored because vt does not support their values.
    package private(set) var ignored: [VTError] = []

    /// When to request a terminal (ssh_config(5), RequestTTY).
    package enum TerminalRequest: String, Sendable {
        case no
        /// For a login shell, if standard input is a terminal.
        case auto
        /// If standard input is a terminal.
        case yes
        case force
    }

    /// What runs on the server (ssh_config(5), SessionType).
    package enum SessionType: String, Sendable {
        case none
        case subsystem
        /// A command or the login shell.
        case standard = "default"
    }

    /// Options for which every occurrence applies, not only the first.
    private static let cumulative: Set<String> = [
        "identityfile", "certificatefile", "sendenv", "localforward", "remoteforward", "dynamicforward",
    ]

    /// Options of a configuration whose effects are part of `SSHHostSettings`.
    private static let resolved: Set<String> = [
        "hostname", "user", "port", "addressfamily", "connecttimeout", "serveraliveinterval", "serveralivecountmax",
        "proxycommand", "proxyjump", "identityfile", "identitiesonly", "identityagent", "stricthostkeychecking",
        "userknownhostsfile", "globalknownhostsfile", "hostkeyalias", "hashknownhosts", "controlpath",
    ]

    package init() {}

    /// Whether to run no program.
    package var runsNoProgram: Bool { sessionType == .none }

    /// Applies an option, `NAME=VALUE` or `NAME VALUE`.
    ///
    /// - Throws: `usage` for an unknown option, and for a malformed or unsupported value.
    package mutating func apply(_ text: String) throws(VTError) {
        guard let setting = SSHSetting(parsing: text[...]), !setting.words.isEmpty else {
            throw VTError(.usage, "invalid option '\(text)': expected NAME=VALUE")
        }
        guard isFirst(setting) else { return }
        try perform(setting)
        settings.append(setting)
    }

    /// Applies the options of a configuration that were not given before, except those of `SSHHostSettings`.
    ///
    /// Options for features that vt lacks are ignored, as are forwards that it does not support.
    ///
    /// - Throws: `usage` and `config` for an option that determines how to connect, whom to trust or what to do, if vt
    ///   cannot honor it.
    package mutating func complete(by configured: [SSHSetting]) throws(VTError) {
        for setting in configured where !setting.words.isEmpty && isFirst(setting) {
            if !Self.resolved.contains(setting.name), try !honor(setting) {
                do throws(VTError) {
                    try check(setting)
                } catch {
                    ignored.append(error)
                    continue
                }
            }
            settings.append(setting)
        }
    }

    /// Removes an identity, as if it had not been given.
    package mutating func remove(identity path: String) {
        settings.removeAll { $0.name == "identityfile" && $0.value == path }
        connection.identities.removeAll { $0 == path }
    }

    /// The options given, with their names in lower case, except those for which every occurrence applies.
    var given: [String: String] {
        settings.reduce(into: [:]) { given, setting in
            if !Self.cumulative.contains(setting.name) { given[setting.name] = setting.value }
        }
    }

    private func isFirst(_ setting: SSHSetting) -> Bool {
        Self.cumulative.contains(setting.name) || !settings.contains { $0.name == setting.name }
    }

    private mutating func perform(_ setting: SSHSetting) throws(VTError) {
        if try !honor(setting) { try check(setting) }
    }

    /// Applies an option that vt must honor; returns false for any other.
    private mutating func honor(_ setting: SSHSetting) throws(VTError) -> Bool {
        if try connection.apply(setting) { return true }
        if try applyMessages(setting) { return true }
        guard try applyProgram(setting) else { return false }
        effect = effect ?? setting
        return true
    }

    /// Applies an option for forwards, or checks that it is harmless to ignore an option.
    private mutating func check(_ setting: SSHSetting) throws(VTError) {
        if try forwarding.apply(setting.name, setting.words) {
            effect = effect ?? setting
            return
        }
        guard let allowed = Self.ineffective[setting.name] else {
            throw VTError(.usage, "unknown ssh option '\(setting.spelling)'", hint: "see ssh_config(5)")
        }
        guard allowed.isEmpty || allowed.contains(setting.value.lowercased()) else { throw setting.refused() }
    }

    // MARK: - Messages and questions

    private mutating func applyMessages(_ setting: SSHSetting) throws(VTError) -> Bool {
        switch setting.name {
        case "loglevel":
            isQuiet = ["quiet", "fatal", "error"].contains(setting.value.lowercased())
        case "batchmode":
            isBatch = try setting.flag()
        case "numberofpasswordprompts":
            guard let count: Int = NumberText.whole(setting.value), count >= 0 else { throw setting.malformed() }
            promptLimit = count
        default:
            return false
        }
        return true
    }

    // MARK: - Program

    private mutating func applyProgram(_ setting: SSHSetting) throws(VTError) -> Bool {
        switch setting.name {
        case "sendenv":
            offeredNames += setting.words
        case "setenv":
            for word in setting.words {
                let variable = try EnvironmentVariable(word)
                if !environment.contains(where: { $0.name == variable.name }) { environment.append(variable) }
            }
        case "requesttty":
            switch setting.value.lowercased() {
            case "true": terminal = .yes
            case "false": terminal = .no
            case let word:
                guard let request = TerminalRequest(rawValue: word) else { throw setting.malformed() }
                terminal = request
            }
        case "stdinnull":
            readsNoInput = try setting.flag()
        case "sessiontype":
            guard let type = SessionType(rawValue: setting.value.lowercased()) else { throw setting.malformed() }
            sessionType = type
        case "forkafterauthentication":
            continuesInBackground = try setting.flag()
        case "remotecommand":
            remoteCommand = setting.value.lowercased() == "none" ? nil : setting.text
        case "localcommand":
            localCommand = setting.text
        case "permitlocalcommand":
            permitsLocalCommand = try setting.flag()
        default:
            return false
        }
        return true
    }

    // MARK: -

    /// Ignored options, each with the values that are harmless to ignore; an empty list means all values.
    private static let ineffective: [String: [String]] = [
        // vt shares no connections with ssh, and uses no display.
        "controlpersist": [],
        "compression": [], "visualhostkey": [], "tcpkeepalive": [], "keepalive": [], "ipqos": [],
        "connectionattempts": [], "fingerprinthash": [], "ignoreunknown": [], "rekeylimit": [],
        "xauthlocation": [], "escapechar": [], "syslogfacility": [], "logverbose": [], "streamlocalbindmask": [],
        "permitremoteopen": [],
        // Names that only Match and the canonicalization of the configuration use.
        "tag": [], "canonicalizehostname": [], "canonicaldomains": [], "canonicalizemaxdots": [],
        "canonicalizefallbacklocal": [], "canonicalizepermittedcnames": [],
        // Features that vt lacks; the options are accepted if they disable them.
        "forwardagent": ["no"], "forwardx11": ["no"], "forwardx11trusted": [], "forwardx11timeout": [],
        "tunnel": ["no"], "tunneldevice": [], "addkeystoagent": ["no"], "enableescapecommandline": ["no"],
        "pkcs11provider": ["none"], "securitykeyprovider": [], "enablesshkeysign": ["no"],
        // Authentication methods that vt either lacks or always tries.
        "gssapiauthentication": [], "gssapidelegatecredentials": ["no"], "hostbasedauthentication": [],
        "hostbasedacceptedalgorithms": [], "hostbasedkeytypes": [], "casignaturealgorithms": [],
        "kbdinteractivedevices": [], "gssapikeyexchange": [], "gssapiclientidentity": [],
        "gssapiserveridentity": [], "gssapitrustdns": [], "gssapirenewalforcesrekey": [], "gssapikexalgorithms": [],
        // vt always checks host keys.
        "nohostauthenticationforlocalhost": [], "updatehostkeys": [],
        "verifyhostkeydns": ["no"],
        // Options of old versions, which ssh also ignores (readconf.c, oDeprecated and oUnsupported).
        "protocol": [], "afstokenpassing": [], "cipher": [], "compressionlevel": [], "fallbacktorsh": [],
        "globalknownhostsfile2": [], "kerberosauthentication": [], "kerberostgtpassing": [],
        "rhostsauthentication": [], "rhostsrsaauthentication": [], "rsaauthentication": [], "smartcarddevice": [],
        "useblacklistedkeys": [], "useprivilegedport": [], "userknownhostsfile2": [], "useroaming": [], "usersh": [],
    ]
}

extension SSHSetting {
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

    func duration() throws(VTError) -> Duration {
        guard let duration = SSHConfigValue.duration(value) else { throw malformed() }
        return duration
    }
}
