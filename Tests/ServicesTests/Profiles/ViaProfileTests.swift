import Core
import CoreTestSupport
import Services
import Storage
import System
import Testing

/// Profiles that are reached through a program instead of SSH.
@Suite struct ViaProfileTests {
    private let store: MemoryProfileStore
    private let secrets = MemorySecretStore()
    private var service: ProfileService {
        ProfileService(profiles: store, secrets: secrets, now: { Timestamp(seconds: 7) })
    }

    init() throws {
        store = MemoryProfileStore(
            try .named("web") { profile in
                profile.user = "ann"
                profile.port = 2222
                profile.identities = ["/i"]
                profile.agent = false
                profile.password = .stored
                profile.secretStore = .file
                profile.jump = "gate"
                profile.hostKeyPolicy = .strict
                profile.keepAliveCount = 4
                profile.connectTimeout = .seconds(1)
                profile.tags = ["prod"]
            },
            try .named("gate"),
            try .named("box") { profile in
                profile.host = ""
                profile.via = try ViaCommand(parsing: "docker exec -i box")
            }
        )
    }

    private static func edit(_ body: (inout ProfileEdit) -> Void) -> ProfileEdit {
        var edit = ProfileEdit()
        body(&edit)
        return edit
    }

    private func edit(_ name: String, _ body: (inout ProfileEdit) throws -> Void) async throws -> Profile {
        var edit = ProfileEdit()
        try body(&edit)
        return try await service.edit(name, edit)
    }

    @Test func `a program replaces everything that belongs to SSH`() async throws {
        let key = try Profile.named("web").secretKey(.password)
        try await secrets.store(try Secret(Array("pw".utf8)), as: key, in: .file)
        let profile = try await edit("web") { $0.via = try ViaCommand(parsing: "sudo -u x") }
        let expected = try Profile.named("web") { profile in
            profile.host = ""
            profile.via = try ViaCommand(parsing: "sudo -u x")
            profile.connectTimeout = .seconds(1)
            profile.tags = ["prod"]
        }
        #expect(profile == expected)
        #expect(try await secrets.secret(key, in: .file) == nil)
    }

    @Test func `a host replaces the program, and one of them is required`() async throws {
        let neither = try await failure { _ = try await edit("box") { $0.unset = [\.via] } }
        #expect(neither.code == .usage)
        let profile = try await edit("box") { edit in
            edit.host = "box.example"
            edit.user = "ann"
        }
        #expect(profile.via == nil && profile.host == "box.example" && profile.user == "ann")
    }

    private static let properties: [(String, ProfileEdit)] = [
        ("user", edit { $0.user = "x" }), ("port", edit { $0.port = 1 }), ("identity", edit { $0.identities = ["/i"] }),
        ("agent", edit { $0.agent = false }), ("password", edit { $0.password = .environment("P") }),
        ("passphrase", edit { $0.passphrase = .environment("P") }), ("jump host", edit { $0.jump = "gate" }),
        ("proxy command", edit { $0.proxyCommand = "nc" }), ("host key policy", edit { $0.hostKeyPolicy = .strict }),
        ("known_hosts file", edit { $0.knownHosts = "/k" }),
        ("algorithms", edit { $0.allowedAlgorithms = ["ssh-rsa"] }),
        ("keep-alive", edit { $0.keepAlive = .seconds(1) }), ("keep-alive", edit { $0.keepAliveCount = 1 }),
    ]

    @Test(arguments: properties)
    func `properties of SSH are rejected`(_ property: String, _ edit: ProfileEdit) async throws {
        let edited = try await failure { _ = try await service.edit("box", edit) }
        #expect(edited == Self.error("cannot set the \(property) of 'box': "))
        var new = edit
        new.via = try ViaCommand(parsing: "env")
        let added = try await failure { _ = try await service.add(try ProfileName("new"), to: nil, new) }
        #expect(added == Self.error("cannot set the \(property) of 'new': "))
        #expect(store["new"] == nil)
    }

    private static func error(_ start: String) -> VTError {
        VTError(.usage, start + "it is reached through a program (--via), not SSH")
    }

    @Test func `a secret from standard input is rejected, and not stored`() async throws {
        var edit = ProfileEdit()
        edit.via = try ViaCommand(parsing: "env")
        let rejection = try await failure {
            let secret = try Secret(Array("pw".utf8))
            _ = try await service.add(try ProfileName("new"), to: nil, edit, secrets: [.password: secret])
        }
        #expect(rejection == Self.error("cannot set the password of 'new': "))
    }

    @Test func `a program cannot be a jump host`() async throws {
        let expected = VTError(.usage, "'box' cannot be a jump host: it is reached through a program (--via), not SSH")
        #expect(try await failure { _ = try await edit("web") { $0.jump = "box" } } == expected)
        let gate = try await failure { _ = try await edit("gate") { $0.via = try ViaCommand(parsing: "env") } }
        #expect(gate.code == .usage && gate.message.hasPrefix("'gate' cannot be a jump host"))
    }

    @Test func `is found by its program`() throws {
        #expect(try service.list(search: "DOCKER").map(\.name) == ["box"])
    }

    // MARK: - Plans

    private func plan(_ target: String, _ options: HostSettings = HostSettings()) throws -> ConnectionPlan? {
        let environment = Environment(["HOME": "/h"])
        let resolver = PlanResolver(
            profiles: store,
            secrets: SecretSourceReader(store: secrets, environment: environment, home: "/h", clock: ContinuousClock()),
            environment: environment,
            account: nil
        )
        return try resolver.resolve(try Target(parsing: target), options: options)?.plan
    }

    @Test func `the plan has the program and the connect timeout`() throws {
        var options = HostSettings()
        options.connectTimeout = .seconds(3)
        guard case .program(let plan)? = try plan("box", options) else {
            Issue.record("the plan is not for a program")
            return
        }
        #expect(plan.command == (try ViaCommand(parsing: "docker exec -i box")))
        #expect(plan.name == "box" && plan.connectTimeout == .seconds(3))
    }

    @Test func `options of SSH connections are rejected`() throws {
        let error = Self.error("cannot set the user of 'box': ")
        #expect(throws: error) { try plan("ann@box") }
        var options = HostSettings()
        options.route = .jump([.profile("box")])
        #expect(throws: VTError.self) { try plan("gate", options) }
        options = HostSettings()
        options.hostKeyPolicy = .strict
        #expect(throws: Self.error("cannot set the host key policy of 'box': ")) { try plan("box", options) }
    }
}
