/// How to connect to a host and what to do there: the settings of a profile, of the command line, or of an OpenSSH
/// configuration; nil means that a setting is not given.
///
/// `SSHOption.all`, at the end of this file, lists the options with which they are set.
package struct HostSettings: Sendable {
    /// Replaces the target's host name.
    package var hostName: String?
    package var user: String?
    package var port: UInt16?
    package var addressFamily: AddressFamily?
    /// The address of this machine to connect from.
    package var bindAddress: String?
    /// The interface whose address to connect from.
    package var bindInterface: String?
    package var connectTimeout: Duration?
    /// Zero disables keep-alives.
    package var keepAliveInterval: Duration?
    package var keepAliveCount: Int?
    package var route: Route?
    /// Whether a proxy command passes a descriptor instead of data (ProxyUseFdpass).
    package var passesDescriptor: Bool?
    /// Why a configuration refuses the connection (RefuseConnection).
    package var refusal: String?
    /// How long an unused connection is kept for other commands; zero disables sharing.
    package var shareTimeout: Duration?

    /// Private keys, with their tokens and variables not yet expanded.
    package var identities: [String]?
    /// Private keys to try after `identities`, without tokens and variables; a leading `~/` is kept.
    package var keyFiles: [String]?
    /// Whether a missing key file is an error.
    package var requiresIdentities = true
    /// The certificates of keys, with their tokens and variables not yet expanded.
    package var certificates: [String]?
    /// Whether only those keys of the agent are used that are also identities.
    package var isLimitedToIdentities: Bool?
    /// Whether keys of the agent are used.
    package var usesAgent: Bool?
    /// The agent's socket, or a variable with its path, such as `$SSH_AUTH_SOCK`, which is the default.
    package var agentSocket: String?
    package var password: SecretSource?
    package var passphrase: SecretSource?
    /// The value of PubkeyAuthentication.
    package var publicKeys: String?
    package var allowsPassword: Bool?
    /// Whether the method `keyboard-interactive` is allowed.
    package var allowsQuestions: Bool?
    /// The value of PreferredAuthentications.
    package var preferredMethods: String?

    /// A profile's policy can only be made stricter.
    package var hostKeyPolicy: HostKeyPolicy?
    /// The files of UserKnownHostsFile, with their tokens and variables not yet expanded; they replace the usual files
    /// and the profile's file.
    package var userKnownHosts: [String]?
    /// A file to read in addition to these files: of a configuration, the first that OpenSSH does not read by default.
    package var knownHosts: String?
    /// The files of GlobalKnownHostsFile, which replace the usual files.
    package var globalKnownHosts: [String]?
    /// The name under which the host key is looked up.
    package var hostKeyAlias: String?
    /// Whether the names of new host keys are hashed.
    package var hashesKnownHosts: Bool?
    /// The file of RevokedHostKeys, with its tokens and variables not yet expanded.
    package var revokedHostKeys: String?
    /// The words of KnownHostsCommand, with their tokens and variables not yet expanded.
    package var knownHostsCommand: [String]?
    /// Whether the key of the server's address is checked, too (CheckHostIP).
    package var checksAddress: Bool?
    /// The minimum size of RSA keys (RequiredRSASize).
    package var minimumRSABits: Int?
    /// The algorithms to use, as in ssh_config(5).
    package var algorithms: [AlgorithmKind: String] = [:]
    /// Weak algorithms that may be offered.
    package var allowedAlgorithms: [String]?

    package var environment: [EnvironmentVariable]?
    /// Patterns for the names of environment variables to offer to the server; `-PATTERN` removes the earlier patterns
    /// that it matches.
    package var offeredNames: [String]?
    package var terminal: TerminalRequest?
    package var readsNoInput: Bool?
    package var logLevel: String?
    /// Whether the user is not to be asked (BatchMode).
    package var isBatch: Bool?
    /// How many times a password is asked for (NumberOfPasswordPrompts).
    package var promptLimit: Int?
    package var sessionType: SessionType?
    /// The command to run instead of a login shell (RemoteCommand), with its tokens not yet expanded.
    package var remoteCommand: String?
    /// The command to run on this machine once vt is connected (LocalCommand), with its tokens not yet expanded.
    package var localCommand: String?
    /// Whether `localCommand` may run (PermitLocalCommand).
    package var permitsLocalCommand: Bool?
    /// Whether vt continues in the background once it is connected (ForkAfterAuthentication).
    package var continuesInBackground: Bool?

    /// LocalForward, RemoteForward and DynamicForward, in order.
    package var forwards: [Forward]?
    /// Whether all forwards are ignored, wherever they are given (ClearAllForwardings).
    package var clearsForwards: Bool?
    /// Whether failing to set up a forward is an error (ExitOnForwardFailure).
    package var exitsOnFailure: Bool?
    /// Whether connections from other machines are accepted if a forward has no bind address (GatewayPorts).
    package var acceptsFromAnywhere: Bool?
    /// Whether an existing socket file is removed first (StreamLocalBindUnlink).
    package var replacesSockets: Bool?

    /// Whether it is an error to replace a setting of the target: of its profile, or its user or port.
    package var keepsSettings = false
    /// The options that were applied, in order.
    package var settings: [SSHSetting] = []
    /// What is peculiar about the configuration that was read.
    package var report = Report()

    /// Messages about an OpenSSH configuration.
    package struct Report: Sendable {
        /// Notes on the `Match` lines that could not be evaluated, with file and line.
        package var notes: [String] = []
        /// The notes about settings that are essential for connecting correctly, such as HostName; `notes` contains
        /// them, too.
        package var warnings: [String] = []
        /// The options that were ignored because vt does not support their values.
        package var ignored: [VTError] = []
        /// The keywords of directives that a profile does not have, some with the value or a reason.
        package var leftOut: [String] = []
    }

    package init() {}
}

extension SSHOption {
    static let all = printed + unprinted

    /// In the order in which `ssh -G` prints them.
    private static let printed: [SSHOption] = [
        option("user", { $1(&$0.user) }, .user, [.decisive, .imported], noun: "user"),
        option("hostname", { $1(&$0.hostName) }, .host, [.decisive, .imported], noun: "host name"),
        option("port", { $1(&$0.port) }, .port, [.decisive, .imported], noun: "port"),
        option(
            "addressfamily",
            { $1(&$0.addressFamily) },
            .addressFamily,
            noun: "address family",
            unset: ["any"],
            or: "any"
        ),
        option("batchmode", { $1(&$0.isBatch) }, .flag, [.restricting], or: "no"),
        SSHOption("canonicalizefallbacklocal").limited(to: 1).checked { SSHConfigValue.flag($0) != nil }
            .printed { [$0.occurrence(of: "canonicalizefallbacklocal")?.flag ?? true ? "yes" : "no"] },
        SSHOption("canonicalizehostname").limited(to: 1).checked { $0 == "always" || SSHConfigValue.flag($0) != nil }
            .printed { settings in
                let setting = settings.occurrence(of: "canonicalizehostname")
                return [setting?.value.lowercased() == "always" ? "always" : "\(setting?.flag ?? false)"]
            },
        option("checkhostip", { $1(&$0.checksAddress) }, .flag, [.restricting], or: "no"),
        option("clearallforwardings", { $1(&$0.clearsForwards) }, .flag, [.restricting, .program], or: "no"),
        option("exitonforwardfailure", { $1(&$0.exitsOnFailure) }, .flag, [.restricting, .program], or: "no"),
        option("gatewayports", { $1(&$0.acceptsFromAnywhere) }, .flag, [.program], or: "no"),
        option("hashknownhosts", { $1(&$0.hashesKnownHosts) }, .yesOrNo, or: "no"),
        option("identitiesonly", { $1(&$0.isLimitedToIdentities) }, .yesOrNo, [.restricting, .imported], or: "no"),
        option("kbdinteractiveauthentication", { $1(&$0.allowsQuestions) }, .flag, [.restricting], or: "yes")
            .formerly("challengeresponseauthentication", "skeyauthentication", "tisauthentication"),
        option("passwordauthentication", { $1(&$0.allowsPassword) }, .flag, [.restricting], or: "yes"),
        option("permitlocalcommand", { $1(&$0.permitsLocalCommand) }, .flag, [.restricting, .program], or: "no"),
        option("proxyusefdpass", { $1(&$0.passesDescriptor) }, .flag, or: "no"),
        option("pubkeyauthentication", { $1(&$0.publicKeys) }, .publicKeys, [.restricting], or: "true")
            .formerly("dsaauthentication"),
        option("requesttty", { $1(&$0.terminal) }, .terminal, [.program], or: "auto"),
        option("sessiontype", { $1(&$0.sessionType) }, .sessionType, [.restricting, .program], or: "default"),
        option("stdinnull", { $1(&$0.readsNoInput) }, .flag, [.program], or: "no"),
        option("forkafterauthentication", { $1(&$0.continuesInBackground) }, .flag, [.program], or: "no"),
        option("streamlocalbindunlink", { $1(&$0.replacesSockets) }, .flag, [.program], or: "no"),
        option(
            "stricthostkeychecking",
            { $1(&$0.hostKeyPolicy) },
            .policy,
            [.restricting, .imported],
            noun: "host key policy"
        ),
        SSHOption("canonicalizemaxdots").limited(to: 1).checked { Int32($0).map { $0 >= 0 } ?? false }
            .printed { [$0.occurrence(of: "canonicalizemaxdots")?.value ?? "1"] },
        option("numberofpasswordprompts", { $1(&$0.promptLimit) }, .number, or: "3"),
        option("requiredrsasize", { $1(&$0.minimumRSABits) }, .positive, [.restricting], or: "1024"),
        option("serveralivecountmax", { $1(&$0.keepAliveCount) }, .count, [.imported], noun: "keep-alive"),
        // The other two are Debian's names.
        option("serveraliveinterval", { $1(&$0.keepAliveInterval) }, .duration, [.imported], noun: "keep-alive")
            .formerly("setuptimeout", "protocolkeepalives"),
        option("bindaddress", { $1(&$0.bindAddress) }, .text, noun: "local address"),
        option("bindinterface", { $1(&$0.bindInterface) }, .text, noun: "local address"),
        option("ciphers", { $1(&$0.algorithms[.cipher]) }, .text, [.restricting], noun: "algorithms"),
        option("hostkeyalgorithms", { $1(&$0.algorithms[.hostKey]) }, .text, [.restricting], noun: "algorithms"),
        option("hostkeyalias", { $1(&$0.hostKeyAlias) }, .name, [.restricting], noun: "host key alias"),
        SSHOption("identityagent", [.restricting]) { settings, setting in
            switch setting.value.lowercased() {
            case "none": settings.usesAgent = false
            case "ssh_auth_sock": break
            default: settings.agentSocket = setting.value
            }
        }.limited(to: 1).printed { [$0.agentSocket] },
        SSHOption("ignoreunknown", [.imported]).printed { [$0.occurrence(of: "ignoreunknown")?.value] },
        option("kexalgorithms", { $1(&$0.algorithms[.keyExchange]) }, .text, [.restricting], noun: "algorithms"),
        option("knownhostscommand", { $1(&$0.knownHostsCommand) }, .words, [.restricting], noun: "known hosts command")
            .limited(to: .max).printed { [$0.occurrence(of: "knownhostscommand")?.text] },
        option("localcommand", { $1(&$0.localCommand) }, .command, [.program]).limited(to: .max),
        option("remotecommand", { $1(&$0.remoteCommand) }, .command, [.program], unset: ["none"]).limited(to: .max),
        option("loglevel", { $1(&$0.logLevel) }, .text).checked(
            ["quiet", "fatal", "error", "info", "verbose", "debug", "debug1", "debug2", "debug3"].contains
        ),
        option("macs", { $1(&$0.algorithms[.mac]) }, .text, [.restricting], noun: "algorithms"),
        option("preferredauthentications", { $1(&$0.preferredMethods) }, .text, [.restricting]),
        option("pubkeyacceptedalgorithms", { $1(&$0.algorithms[.userKey]) }, .text, [.restricting], noun: "algorithms")
            .formerly("pubkeyacceptedkeytypes"),
        option(
            "revokedhostkeys",
            { $1(&$0.revokedHostKeys) },
            .text,
            [.restricting],
            noun: "file of revoked host keys",
            unset: ["none"]
        ),
        SSHOption("tag").printed { [$0.occurrence(of: "tag")?.value] },
        option("dynamicforward", { $1(&$0.forwards) }, .dynamic, [.program], adds: +).printed { settings in
            settings.forwardTexts { $0.target == nil }
        },
        option("localforward", { $1(&$0.forwards) }, .side(.local), [.program], completes: false, adds: +).limited(
            to: 2
        ).printed { settings in
            settings.forwardTexts { $0.side == .local && $0.target != nil }
        },
        SSHOption("remoteforward", [.program, .cumulative]) { settings, setting throws(VTError) in
            do throws(VTError) {
                let forwards = try SSHValue.side(.remote).value(of: setting)
                settings.forwards = (settings.forwards ?? []) + forwards
            } catch {
                // ssh accepts a forward without a target, which vt does not support.
                guard setting.words.count == 1 else { throw error }
                try settings.ignore(setting, because: error)
            }
        }.limited(to: 2).printed { settings in settings.forwardTexts { $0.side == .remote } },
        option(
            "identityfile",
            { $1(&$0.identities) },
            .element,
            [.decisive, .imported],
            noun: "identity",
            unset: ["none"],
            adds: +
        )
        .formerly("identityfile2").printed { $0.identities ?? [] },
        SSHOption("canonicaldomains").printed { [$0.occurrence(of: "canonicaldomains")?.value ?? "none"] },
        option("certificatefile", { $1(&$0.certificates) }, .element, unset: ["none"], adds: +)
            .printed { $0.values("certificatefile").withoutRepetition },
        option("globalknownhostsfile", { $1(&$0.globalKnownHosts) }, .words, [.restricting], noun: "known_hosts file")
            .limited(to: .max),
        option(
            "userknownhostsfile",
            { $1(&$0.userKnownHosts) },
            .words,
            [.restricting, .imported],
            noun: "known_hosts file"
        )
        .limited(to: .max),
        option("sendenv", { $1(&$0.offeredNames) }, .words, [.program], adds: +).limited(to: .max).printed {
            $0.remainingNames
        },
        option("setenv", { $1(&$0.environment) }, .environment, [.program, .imported]).limited(to: .max).printed {
            settings in
            settings.environment?.map { "\($0.name)=\($0.value)" } ?? []
        },
        option("connecttimeout", { $1(&$0.connectTimeout) }, .duration, [.imported], unset: ["none", "0"]),
    ]

    /// Options that `ssh -G` prints differently or not at all, and settings for which ssh_config(5) has no option.
    private static let unprinted: [SSHOption] =
        [
            // The first jump host or command applies; "ProxyJump none" allows a later command.
            SSHOption("proxycommand", [.decisive, .imported]) { settings, setting in
                if case .jump? = settings.route { return }
                settings.route = setting.rest.lowercased() == "none" ? .direct : .proxyCommand(setting.text)
            },
            SSHOption("proxyjump", [.decisive, .imported]) { settings, setting throws(VTError) in
                if settings.route == nil { settings.route = try .hops(setting) }
            },
            SSHOption("refuseconnection", [.restricting]) { settings, setting throws(VTError) in
                guard setting.place != nil else { throw HostSettings.refused(setting.value) }
                settings.refusal = setting.value
            },
            // Other values only determine where ssh creates its socket, as do those in files.
            SSHOption("controlpath") { settings, setting in
                if setting.place == nil, setting.value.lowercased() == "none" { settings.shareTimeout = .zero }
            }.limited(to: 1),
            // vt cannot ask whether a command may use the connection.
            SSHOption("controlmaster") { settings, setting in
                if ["ask", "autoask"].contains(setting.value.lowercased()) { settings.shareTimeout = .zero }
            },
            own({ $1(&$0.route) }, noun: "jump host or proxy command"), own({ $1(&$0.refusal) }),
            own({ $1(&$0.shareTimeout) }),
            own({ $1(&$0.keyFiles) }, noun: "identity"), own({ $1(&$0.password) }, noun: "password"),
            own({ $1(&$0.passphrase) }, noun: "passphrase"),
            own({ $1(&$0.usesAgent) }, noun: "agent"), own({ $1(&$0.agentSocket) }),
            own({ $1(&$0.knownHosts) }, noun: "known_hosts file"),
            own({ $1(&$0.allowedAlgorithms) }),
        ] + ineffective

    private static func own<Value: Sendable>(
        _ property: @escaping Property<Value>,
        noun: String? = nil
    ) -> SSHOption {
        option("", property, SSHValue { _ in nil }, noun: noun).printed { _ in [] }
    }

    /// Options that have no effect on vt, and that a configuration may contain.
    private static let ineffective: [SSHOption] =
        harmless.map { SSHOption($0) } + [SSHOption("compression").limited(to: 1).checked(["yes", "no"].contains)]
        + disabled.map { name, value in
            SSHOption(name) { settings, setting throws(VTError) in
                if setting.value.lowercased() != value { try settings.ignore(setting, because: setting.refused()) }
            }
        }

    private static let harmless = [
        // vt shares no connections with ssh, and uses no display.
        "controlpersist", "visualhostkey", "tcpkeepalive", "keepalive", "ipqos", "connectionattempts",
        "fingerprinthash", "rekeylimit", "xauthlocation", "escapechar", "syslogfacility", "logverbose",
        "streamlocalbindmask", "permitremoteopen",
        "canonicalizepermittedcnames", "forwardx11trusted", "forwardx11timeout", "tunneldevice", "securitykeyprovider",
        // Authentication methods that vt either lacks or always tries.
        "gssapiauthentication", "hostbasedauthentication", "hostbasedacceptedalgorithms", "hostbasedkeytypes",
        "casignaturealgorithms", "kbdinteractivedevices", "gssapikeyexchange", "gssapiclientidentity",
        "gssapiserveridentity", "gssapitrustdns", "gssapirenewalforcesrekey", "gssapikexalgorithms",
        // vt always checks host keys.
        "nohostauthenticationforlocalhost", "updatehostkeys",
        // Options of old versions, which ssh also ignores (readconf.c, oDeprecated and oUnsupported).
        "protocol", "afstokenpassing", "cipher", "compressionlevel", "fallbacktorsh", "globalknownhostsfile2",
        "kerberosauthentication", "kerberostgtpassing", "rhostsauthentication", "rhostsrsaauthentication",
        "rsaauthentication", "smartcarddevice", "useblacklistedkeys", "useprivilegedport", "userknownhostsfile2",
        "useroaming", "usersh",
    ]

    /// Features that vt lacks, with the values that disable them.
    private static let disabled: KeyValuePairs = [
        "forwardagent": "no", "forwardx11": "no", "tunnel": "no", "addkeystoagent": "no",
        "enableescapecommandline": "no", "pkcs11provider": "none", "enablesshkeysign": "no",
        "gssapidelegatecredentials": "no", "verifyhostkeydns": "no",
    ]
}
