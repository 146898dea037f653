import Core
import CoreTestSupport
import Services
import Storage
import System
import Testing

/// Hosts of `vt ssh`: profiles, the OpenSSH configuration, and other names.
@Suite struct HostResolutionTests {
    private func resolve(
        _ host: String,
        _ options: [String] = [],
        environment values: [String: String] = [:],
        configuration: FakeSSHConfiguration? = FakeSSHConfiguration(hosts: [])
    ) throws -> PlanResolver.ResolvedHost {
        let environment = Environment(values.merging(["HOME": "/h", "KEYS": "/keys"]) { $1 })
        let store = MemoryProfileStore(
            try .named("web") { profile in
                profile.knownHosts = "~/k"
                profile.hostKeyPolicy = .strict
                profile.environment = ["A": "profile"]
            }
        )
        let resolver = PlanResolver(
            profiles: store,
            secrets: SecretSourceReader(
                store: MemorySecretStore(),
                environment: environment,
                home: "/h",
                clock: ContinuousClock()
            ),
            environment: environment,
            account: Account(name: "me", home: "/home/me", shell: "/bin/sh"),
            configuration: configuration
        )
        var ssh = HostSettings()
        for option in options { try ssh.apply(option) }
        return try resolver.resolve(host: host, options: ssh)
    }

    private let configuration = FakeSSHConfiguration(hosts: [
        (
            "box",
            { settings in
                settings.hostName = "10.0.0.1"
                settings.user = "ann"
                settings.port = 2222
                settings.keyFiles = ["~/.ssh/box"]
                settings.keepAliveInterval = .seconds(7)
                settings.hostKeyPolicy = .strict
                settings.userKnownHosts = ["~/.ssh/%n", "/dev/null"]
                settings.globalKnownHosts = ["none"]
                settings.hostKeyAlias = "alias"
                settings.hashesKnownHosts = true
                settings.addressFamily = .ipv6
                settings.route = .jump([.adHoc(Destination(host: "gate"))])
                settings.environment = [try? EnvironmentVariable("A=configured")].compactMap(\.self)
            }
        ), ("gate", { $0.port = 22_022 }), ("web", { $0.hostName = "elsewhere" }),
        ("proxied", { $0.route = .proxyCommand("nc %h %p") }),
    ])

    @Test func `a host in the configuration has its settings`() throws {
        let host = try resolve("box", configuration: configuration)
        let plan = try #require(host.plan.ssh)
        #expect(plan.name == "box" && plan.user == "ann" && plan.endpoint == Endpoint(host: "10.0.0.1", port: 2222))
        #expect(plan.credentials.identities.map(\.path) == ["/h/.ssh/box"])
        #expect(plan.limits.keepAliveInterval == .seconds(7) && plan.addressFamily == .ipv6)
        #expect(plan.hostKeyPolicy == .strict)
        #expect(plan.hostKeyLookup.userFiles == ["/h/.ssh/box", "/dev/null"])
        #expect(plan.hostKeyLookup.globalFiles == [])
        #expect(plan.hostKeyLookup.alias == "alias" && plan.hostKeyLookup.hashesNames)
        #expect(host.profile == nil && host.options.environment?.map(\.value) == ["configured"])
        guard case .jump(let gate) = plan.route, case .direct = gate.route else { throw Unexpected() }
        #expect(gate.endpoint == Endpoint(host: "gate", port: 22_022))
        #expect(gate.hostKeyLookup == HostKeyLookup())
    }

    /// The plan of a host that is reached over SSH.
    private func plan(
        _ host: String,
        _ options: [String] = [],
        environment: [String: String] = [:],
        configuration: FakeSSHConfiguration? = FakeSSHConfiguration(hosts: [])
    ) throws -> SSHPlan {
        try #require(try resolve(host, options, environment: environment, configuration: configuration).plan.ssh)
    }

    private struct Unexpected: Error {}

    @Test func `options of the configuration apply unless they are given`() throws {
        let configuration = FakeSSHConfiguration(hosts: [
            (
                "box",
                { settings in
                    for line in [
                        "Ciphers a", "MACs b", "BindAddress ::1", "IdentityAgent ${KEYS}/%n", "CertificateFile ~/%n",
                        "RequestTTY force", "RemoteCommand echo %h", "SetEnv A=1 A=2", "ForwardAgent yes",
                    ] {
                        let place = SSHSetting.Place(file: "/config", line: 1)
                        guard let setting = SSHSetting(parsing: line[...], at: place) else { continue }
                        try? settings.apply(setting)
                    }
                }
            )
        ])
        let host = try resolve("box", ["Ciphers=given", "IdentityFile=%d/${KEYS}/%r"], configuration: configuration)
        #expect(host.plan.ssh?.algorithms == [.cipher: "given", .mac: "b"] && host.plan.ssh?.bindAddress == "::1")
        #expect(host.plan.ssh?.credentials.agentSocket == "/keys/box")
        #expect(host.plan.ssh?.credentials.certificates == ["/h/box"])
        #expect(host.plan.ssh?.credentials.identities.map(\.path) == ["/h//keys/me"])
        #expect(host.options.terminal == .force && host.options.environment?.map(\.value) == ["1"])
        #expect(try host.tokens.expand(command: host.options.remoteCommand ?? "") == "echo box")
        // An option that vt cannot honor is an error only if it is given.
        #expect(host.options.report.ignored.count == 1)
        #expect(throws: VTError.self) { try resolve("box", ["IdentityFile=${UNSET}"], configuration: configuration) }
    }

    @Test func `options come before the configuration`() throws {
        let options = [
            "HostName=h", "User=bob", "Port=1", "ProxyJump=none", "StrictHostKeyChecking=accept-new",
            "HashKnownHosts=no",
            "UserKnownHostsFile=/k", "GlobalKnownHostsFile=/g", "HostKeyAlias=other", "AddressFamily=inet",
        ]
        let plan = try plan("box", options, configuration: configuration)
        #expect(plan.user == "bob" && plan.endpoint == Endpoint(host: "h", port: 1) && plan.addressFamily == .ipv4)
        #expect(plan.hostKeyPolicy == .acceptNew)
        #expect(plan.hostKeyLookup.userFiles == ["/k"] && plan.hostKeyLookup.globalFiles == ["/g"])
        #expect(plan.hostKeyLookup.alias == "other" && !plan.hostKeyLookup.hashesNames)
        guard case .direct = plan.route else { throw Unexpected() }
    }

    @Test func `a profile comes before the configuration, and options only make its policy stricter`() throws {
        let host = try resolve("web", configuration: configuration)
        #expect(host.plan.ssh?.endpoint.host == "web.example")
        #expect(host.plan.ssh?.hostKeyLookup.additionalFile == "/h/k" && host.plan.ssh?.hostKeyLookup.userFiles == nil)
        let options = ["StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null"]
        let plan = try plan("web", options, configuration: configuration)
        #expect(plan.hostKeyPolicy == .strict)
        #expect(plan.hostKeyLookup.userFiles == ["/dev/null"] && plan.hostKeyLookup.additionalFile == nil)
    }

    @Test func `a host without a profile or configuration is used as given`() throws {
        let plan = try plan("::1")
        #expect(plan.user == "me" && plan.endpoint == Endpoint(host: "::1"))
        #expect(plan.hostKeyLookup == HostKeyLookup())
        #expect(plan.credentials.identities.map(\.path).first == "/h/.ssh/id_ed25519")
    }

    @Test func `options and the configuration select the agent`() throws {
        let socket = { (host: String, options: [String]) in
            let configuration = FakeSSHConfiguration(hosts: [("box", { $0.agentSocket = "~/agent" })])
            let environment = ["SSH_AUTH_SOCK": "/usual", "OTHER": "/other"]
            return try plan(host, options, environment: environment, configuration: configuration).credentials
                .agentSocket
        }
        #expect(try socket("host", []) == "/usual")
        #expect(try socket("box", []) == "/h/agent")
        #expect(try socket("box", ["IdentityAgent=$OTHER"]) == "/other")
        #expect(try socket("box", ["IdentityAgent=none"]) == nil)
        #expect(try socket("host", ["IdentityAgent=SSH_AUTH_SOCK"]) == "/usual")
    }

    // MARK: - Known hosts

    @Test(arguments: [
        ("none", []), ("/dev/null", ["/dev/null"]), ("~/a /b", ["/h/a", "/b"]),
        ("\"/a b\" c\\ d", ["/a b", "CWD/c d"]),
        ("%d/%h-%n-%p-%r-%u-%k-%%", ["/h/real-host-5-bob-me-host-%"]), ("${KEYS}/known", ["/keys/known"]),
        ("/%C", ["/" + HostTokens.connectionHash(to: Endpoint(host: "real", port: 5), user: "bob")]),
    ])
    func `expands the names of known_hosts files`(value: String, files: [String]) throws {
        let options = ["UserKnownHostsFile=\(value)", "HostName=real", "User=bob", "Port=5"]
        let expected = files.map { $0.replacing("CWD", with: WorkingDirectory.path) }
        #expect(try plan("host", options).hostKeyLookup.userFiles == expected)
    }

    @Test(arguments: ["%z", "${UNSET}/k", "\"a"])
    func `rejects a known_hosts file name that cannot be expanded`(value: String) {
        let error = #expect(throws: VTError.self) { try resolve("host", ["UserKnownHostsFile=\(value)"]) }
        #expect(error?.code == .usage)
    }

    // MARK: - Sharing

    @Test func `a host without a profile has a shared connection, too`() throws {
        #expect(try plan("host").sharing == ConnectionSharing())
        #expect(try plan("host", ["ControlPath=/x", "ControlMaster=no"]).sharing == ConnectionSharing())
        #expect(try plan("proxied", configuration: configuration).sharing == ConnectionSharing())
        // Ansible sets this if it has no password.
        #expect(try plan("host", ["PasswordAuthentication=no"]).sharing == ConnectionSharing())
    }

    @Test(arguments: ["host", "web"])
    func `options and the environment can disable sharing`(host: String) throws {
        #expect(try plan(host, ["ControlPath=none"]).sharing == nil)
        #expect(try plan(host, environment: ["VT_SHARE": "off"]).sharing == nil)
        #expect(try plan(host, environment: ["VT_SHARE": "5m"]).sharing?.idleTimeout == .seconds(300))
    }

    @Test func `relative paths of identities do not depend on the working directory of a mux server`() throws {
        let identities = try plan("host", ["IdentityFile=key"]).credentials.identities
        #expect(identities.map(\.path) == ["\(WorkingDirectory.path)/key"])
    }
}
