import Core
import CoreTestSupport
import Services
import Storage
import Synchronization
import System
import Testing

@Suite struct PlanResolverTests {
    private let store: MemoryProfileStore
    private let secrets = MemorySecretStore()

    init() throws {
        store = MemoryProfileStore(
            try .named("web") { profile in
                profile.port = 2222
                profile.user = "ann"
                profile.identities = ["~/.ssh/web", "/abs"]
                profile.jump = "gate"
                profile.hostKeyPolicy = .strict
                profile.knownHosts = "~/k"
                profile.allowedAlgorithms = ["ssh-rsa"]
                profile.connectTimeout = .seconds(1)
                profile.keepAlive = .zero
                profile.keepAliveCount = 9
            },
            try .named("gate") { profile in
                profile.agent = false
                profile.password = .stored
                profile.secretStore = .file
            }
        )
    }

    private func resolver(account: Account? = nil) -> PlanResolver {
        let environment = Environment(["HOME": "/h", "SSH_AUTH_SOCK": "/agent", "SECRET": "from env"])
        return PlanResolver(
            profiles: store,
            secrets: SecretSourceReader(store: secrets, environment: environment, home: "/h", clock: ContinuousClock()),
            environment: environment,
            account: account
        )
    }

    @Test func `reads the profiles once for any number of targets`() throws {
        let resolver = resolver(account: Account(name: "me", home: "/home/me", shell: "/bin/sh"))
        for _ in 0..<10 {
            let found = try resolver.resolve(.profile("web"), options: HostSettings())
            #expect(found?.plan.name == "web")
        }
        #expect(store.loads.load(ordering: .relaxed) == 1)
    }

    private func resolve(
        _ target: String,
        account: Account? = Account(name: "me", home: "/home/me", shell: "/bin/sh"),
        _ body: (inout HostSettings) -> Void = { _ in }
    ) throws -> SSHPlan? {
        let resolver = resolver(account: account)
        var options = HostSettings()
        body(&options)
        return try resolver.resolve(try Target(parsing: target), options: options)?.plan.ssh
    }

    @Test func `this machine requires no plan`() throws {
        #expect(try resolve("local") == nil)
    }

    @Test func `converts a profile to a plan with its jump host`() async throws {
        let plan = try #require(try resolve("web"))
        #expect(plan.name == "web" && plan.user == "ann")
        #expect(plan.endpoint == Endpoint(host: "web.example", port: 2222))
        #expect(plan.credentials.agentSocket == "/agent")
        #expect(plan.credentials.identities.map(\.path) == ["/h/.ssh/web", "/abs"])
        #expect(plan.credentials.identities.map(\.isRequired) == [true, true])
        #expect(plan.hostKeyPolicy == .strict && plan.hostKeyLookup.additionalFile == "/h/k")
        #expect(plan.allowedAlgorithms == ["ssh-rsa"])
        #expect(
            plan.limits
                == ConnectionLimits(connectTimeout: .seconds(1), keepAliveInterval: .zero, keepAliveCount: 9)
        )
        guard case .jump(let gate) = plan.route else { throw NoJump() }
        #expect(gate.name == "gate" && gate.user == "me" && gate.credentials.agentSocket == nil)
        #expect(
            gate.credentials.identities.map(\.path) == ["id_ed25519", "id_ecdsa", "id_rsa"].map { "/h/.ssh/\($0)" }
        )
        #expect(gate.credentials.identities.allSatisfy { !$0.isRequired })
        #expect(gate.limits == .standard)
    }

    private struct NoJump: Error {}

    @Test func `options override the profile but not its jump host`() throws {
        let plan = try #require(
            try resolve("web") { options in
                options.user = "bob"
                options.port = 1
                options.identities = ["/key"]
                options.connectTimeout = .seconds(2)
            }
        )
        #expect(plan.user == "bob" && plan.endpoint.port == 1 && plan.limits.connectTimeout == .seconds(2))
        #expect(plan.credentials.identities == [.init(path: "/key", isRequired: true)])
        guard case .jump(let gate) = plan.route else { throw NoJump() }
        #expect(gate.user == "me" && gate.endpoint.port == 22)
    }

    @Test func `an unsaved server has the default settings`() throws {
        let plan = try #require(try resolve("bob@h.example:7"))
        #expect(plan.user == "bob" && plan.endpoint == Endpoint(host: "h.example", port: 7))
        #expect(plan.hostKeyPolicy == .acceptNew && plan.limits == .standard)
    }

    @Test func `a user before a profile overrides the profile's user`() throws {
        let plan = try #require(try resolve("root@web"))
        #expect(plan.name == "root@web" && plan.user == "root")
        #expect(plan.endpoint == Endpoint(host: "web.example", port: 2222))
        #expect(plan.hostKeyPolicy == .strict)
        #expect(try resolve("root@web") { $0.user = "bob" }?.user == "bob")
        // With a port, the target is an unsaved server.
        #expect(try resolve("root@web:22")?.endpoint == Endpoint(host: "web", port: 22))
    }

    @Test func `ssh options change the plan but never weaken its checks`() throws {
        var ssh = HostSettings()
        for text in [
            "HostName=10.0.0.1", "ServerAliveInterval 7", "serveralivecountmax = 2", "IdentitiesOnly=yes",
            "StrictHostKeyChecking=no", "UserKnownHostsFile=~/other", "ConnectTimeout=1m5s", "ConnectTimeout=1",
            "AddressFamily=inet6", "ProxyJump=gate,x@y.example:7,plain.example",
        ] { try ssh.apply(text) }
        let plan = try #require(try resolve("web") { $0 = ssh })
        #expect(plan.endpoint == Endpoint(host: "10.0.0.1", port: 2222) && plan.addressFamily == .ipv6)
        let limits = ConnectionLimits(connectTimeout: .seconds(65), keepAliveInterval: .seconds(7), keepAliveCount: 2)
        #expect(plan.limits == limits)
        #expect(plan.credentials.isLimitedToIdentities)
        #expect(plan.hostKeyPolicy == .strict && plan.hostKeyLookup.userFiles == ["/h/other"])
        guard case .jump(let last) = plan.route, case .jump(let middle) = last.route,
            case .jump(let first) = middle.route
        else { throw NoJump() }
        #expect([first.name, middle.endpoint.host, last.endpoint.host] == ["gate", "y.example", "plain.example"])
    }

    @Test(arguments: [
        "ForwardAgent=yes", "ForwardX11=yes", "LocalForward=1", "CheckHostIP=x", "Nonsense=1",
        "Port=0", "Port", "=", "StrictHostKeyChecking=maybe", "PubkeyAuthentication=x", "ConnectTimeout=x",
        "SetEnv=1A=b", "RequiredRSASize=x",
    ])
    func `rejects an unsupported ssh option`(text: String) async throws {
        #expect(
            try await failure {
                var ssh = HostSettings()
                try ssh.apply(text)
            }.code == .usage
        )
    }

    @Test(arguments: [
        "ControlMaster=auto", "ControlPersist=60s", "ControlPath=/x", "ForwardX11=no", "ForwardAgent=no",
        "ClearAllForwardings=yes", "LogLevel=ERROR", "Compression=yes", "BatchMode=yes", "Protocol=2",
        "Cipher=3des", "UseRsh=no", "RhostsRSAAuthentication=no", "DSAAuthentication=yes", "EscapeChar=~",
        "NoHostAuthenticationForLocalhost=yes", "PreferredAuthentications=publickey", "GSSAPIAuthentication=no",
    ])
    func `accepts and ignores an ssh option`(text: String) throws {
        var ssh = HostSettings()
        try ssh.apply(text)
        #expect(try resolve("web") { $0 = ssh }?.endpoint.port == 2222)
    }

    @Test func `a name without a profile is a server only if a user is given`() async throws {
        let error = try await failure { _ = try resolve("wbe") }
        #expect(error == VTError(.notFound, "no such profile: 'wbe'", hint: "did you mean 'web'?"))
        let plan = try #require(try resolve("other.example") { $0.user = "bob" })
        #expect(plan.user == "bob" && plan.endpoint.host == "other.example")
    }

    @Test(arguments: [
        ("127.0.7.1:27022", "127.0.7.1:27022"), ("other.example", "other.example:22"), ("localhost", "localhost:22"),
        ("build:2222", "build:2222"), ("[::1]:27022", "[::1]:27022"), ("::1", "[::1]:22"),
    ])
    func `a word with a dot or a port, and localhost, is a host unless a profile has this name`(
        word: String,
        endpoint: String
    ) async throws {
        #expect(try resolve(word)?.endpoint.description == endpoint)
        let strict = try await failure {
            _ = try resolver(account: Account(name: "me", home: "/", shell: "/bin/sh"))
                .resolve(.profile(word), options: HostSettings(), isStrict: true)
        }
        #expect(strict.code == .notFound)
        guard (try? ProfileName(word)) != nil else { return }
        let profile = try Profile.named(word) { $0.host = "10.0.0.1" }
        try store.update { $0[word] = profile }
        #expect(try resolve(word)?.endpoint.host == "10.0.0.1")
    }

    @Test(arguments: [("web:22", "web"), ("web.", "web"), ("gate.e", "gate")])
    func `a word that is similar to the name of a profile is not a host`(word: String, name: String) async throws {
        let error = try await failure { _ = try resolve(word) }
        #expect(error.code == .notFound)
        #expect(error.hint == "did you mean '\(name)'? for the host, use 'ssh://\(word)'")
    }

    @Test func `options replace no settings of the target if they must keep them`() async throws {
        let conflicts: [(String, @Sendable (inout HostSettings) -> Void)] = [
            ("web", { $0.port = 22 }), ("web", { $0.user = "bob" }), ("web", { $0.identities = ["/other"] }),
            ("web", { $0.knownHosts = "/k" }), ("web", { $0.route = .direct }), ("gate", { $0.usesAgent = true }),
            ("gate", { $0.password = .file("/p") }), ("ann@web", { $0.user = "bob" }),
            ("ann@host", { $0.user = "bob" }), ("ann@host:22", { $0.port = 23 }),
        ]
        for (target, change) in conflicts {
            #expect(try resolve(target, change) != nil)
            let error = try await failure {
                _ = try resolve(target) { options in
                    change(&options)
                    options.keepsSettings = true
                }
            }
            #expect(error.code == .usage, "\(target)")
        }
    }

    @Test func `options that keep the settings of the target add to them`() throws {
        let plan = try resolve("web") { options in
            options.keepsSettings = true
            (options.port, options.user, options.password) = (2222, "ann", .environment("SECRET"))
        }
        #expect(plan?.destination == "ann@web.example:2222")
        let other = try resolve("gate") { options in
            options.keepsSettings = true
            (options.user, options.identities, options.knownHosts) = ("bob", ["/key"], "/k")
        }
        #expect(other?.user == "bob" && other?.credentials.identities.map(\.path) == ["/key"])
        #expect(other?.hostKeyLookup.additionalFile == "/k")
    }

    @Test func `fails if neither the profile nor the account provides a user`() async throws {
        #expect(try await failure { _ = try resolve("gate", account: nil) }.code == .config)
    }

    @Test func `reads secrets on demand`() async throws {
        let gate = try #require(store["gate"])
        let plan = try #require(try resolve("gate"))
        try secrets.set("stored", gate, .password)
        #expect(try await plan.credentials.password()?.bytes == Array("stored".utf8))
        #expect(try await plan.credentials.passphrase() == nil)
        let other = try #require(try resolve("gate") { $0.password = .environment("SECRET") })
        #expect(try await other.credentials.password()?.bytes == Array("from env".utf8))
    }

    @Test func `rejects jump hosts that do not exist or form a loop`() async throws {
        try store.update { $0["gate"]?.jump = "gone" }
        #expect(try await failure { _ = try resolve("web") }.code == .config)
        try store.update { $0["gate"]?.jump = "web" }
        #expect(try await failure { _ = try resolve("web") }.code == .config)
    }

    @Test func `limits the number of jump hosts`() async throws {
        try store.update { profiles in
            for number in 1...9 {
                let name = "jump\(number)"
                profiles[name] = profiles["gate"]
                profiles[name]?.name = name
                profiles[name]?.jump = number < 9 ? "jump\(number + 1)" : nil
            }
            profiles["gate"]?.jump = "jump1"
        }
        let error = try await failure { _ = try resolve("gate") }
        #expect(error.code == .config)
        #expect(error.message == "'gate' has more than 8 jump hosts")
        #expect(try resolve("jump1") != nil)
    }

    // MARK: - Proxy commands

    @Test func `expands the tokens of a proxy command`() throws {
        try store.update { profiles in
            profiles["gate"]?.proxyCommand = "connect %h:%p as %r for %n at 100%%"
        }
        guard case .proxyCommand(let line)? = try resolve("gate")?.route else { throw NoJump() }
        #expect(line == "connect gate.example:22 as me for gate at 100%")
    }

    @Test(arguments: ["$(id)", "a;b", "a'b", "a`b", "a|b", "a&b", "a>b", "a\\b", "a{b", "a;\u{301}b", "-\u{301}b"])
    func `rejects a user name with shell metacharacters in a proxy command`(user: String) async throws {
        try store.update { $0["gate"]?.proxyCommand = "nc %h %r" }
        #expect(try await failure { _ = try resolve("gate") { $0.user = user } }.code == .usage)
    }

    @Test(arguments: ["nc %z", "nc %"])
    func `rejects an unknown token in a proxy command`(command: String) async throws {
        try store.update { $0["gate"]?.proxyCommand = command }
        #expect(try await failure { _ = try resolve("gate") }.code == .config)
    }
}
