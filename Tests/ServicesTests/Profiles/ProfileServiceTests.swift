import Core
import CoreTestSupport
import Services
import Testing

@Suite struct ProfileServiceTests {
    private let store: MemoryProfileStore
    private let secrets = MemorySecretStore()
    private var service: ProfileService {
        ProfileService(profiles: store, secrets: secrets, now: { Timestamp(seconds: 7) })
    }

    init() throws {
        store = MemoryProfileStore(
            try .named("web") { $0.tags = ["prod", "eu"] },
            try .named("db") { profile in
                profile.tags = ["prod"]
                profile.jump = "gate"
                profile.note = "The Old one"
            },
            try .named("gate")
        )
    }

    private func add(
        _ name: String,
        replacing: Bool = false,
        _ body: (inout ProfileEdit) -> Void = { _ in }
    ) async throws -> Profile {
        var edit = ProfileEdit()
        body(&edit)
        let destination = Destination(user: "ann", host: "new.example", port: 2222)
        return try await service.add(try ProfileName(name), to: destination, edit, replacing: replacing)
    }

    private func edit(_ name: String, _ body: (inout ProfileEdit) -> Void) async throws -> Profile {
        var edit = ProfileEdit()
        body(&edit)
        return try await service.edit(name, edit)
    }

    // MARK: - Reading

    @Test(
        arguments: [
            ([], nil, ["db", "gate", "web"]), (["prod"], nil, ["db", "web"]), (["prod", "eu"], nil, ["web"]),
            (["none"], nil, []), ([], "OLD", ["db"]), ([], "eu", ["web"]), ([], "example", ["db", "gate", "web"]),
            (["prod"], "web", ["web"]), ([], "", ["db", "gate", "web"]),
        ] as [([String], String?, [String])]
    )
    func `lists profiles by tags and text`(tags: [String], search: String?, names: [String]) throws {
        #expect(try service.list(tags: tags, search: search).map(\.name) == names)
    }

    @Test(arguments: [("wbe", "did you mean 'web'?"), ("zzz", "see 'vt profile list'")])
    func `a name must match exactly, and a similar name is suggested`(name: String, hint: String) async throws {
        let failure = try await failure { _ = try service.profile(name) }
        #expect(failure == VTError(.notFound, "no such profile: '\(name)'", hint: hint))
    }

    // MARK: - Adding and editing

    @Test func `a new profile has the given settings and a new ID`() async throws {
        let profile = try await add("new") { edit in
            edit.identities = ["/a", "/b"]
            edit.agent = false
            edit.environment = ["A": "2"]
            edit.connectTimeout = .seconds(3)
        }
        #expect(store["new"] == profile)
        #expect(profile.id.count == 32)
        #expect(profile.createdAt == Timestamp(seconds: 7))
        #expect(profile.user == "ann" && profile.host == "new.example" && profile.port == 2222)
        #expect(profile.identities == ["/a", "/b"])
        #expect(profile.environment == ["A": "2"])
        #expect(profile.connectTimeout == .seconds(3))
    }

    @Test func `rejects a name in use unless it is to be replaced`() async throws {
        let failure = try await failure { _ = try await add("web") }
        #expect(failure.code == .exists)
        #expect(store["web"]?.host == "web.example")
        #expect(try await add("web", replacing: true).host == "new.example")
        #expect(store["web"]?.tags == [])
    }

    @Test func `an edit leaves other fields unchanged`() async throws {
        let profile = try await edit("web") { $0.port = 99 }
        #expect(profile.port == 99 && profile.tags == ["prod", "eu"] && profile.id == "id-web")
        #expect(store["web"] == profile)
    }

    @Test func `every field can be reset to its default`() async throws {
        let kept: [Profile.Property] = [\.id, \.name, \.host, \.createdAt]
        let properties = Profile.fields.fields.compactMap(\.property).filter { property in
            !kept.contains { $0 == property }
        }
        _ = try await edit("web") { edit in
            edit.user = "u"
            edit.port = 1
            edit.identities = ["/i"]
            edit.agent = false
            edit.password = .environment("P")
            edit.passphrase = .environment("Q")
            edit.jump = "gate"
            edit.hostKeyPolicy = .strict
            edit.knownHosts = "/k"
            edit.allowedAlgorithms = ["ssh-rsa"]
            edit.connectTimeout = .seconds(1)
            edit.keepAlive = .seconds(1)
            edit.keepAliveCount = 1
            edit.cwd = "/"
            edit.environment = ["A": "1"]
            edit.shell = "/bin/sh"
            edit.note = "n"
        }
        #expect(try await edit("web") { $0.unset = properties } == Profile.named("web"))
        _ = try await edit("web") { $0.proxyCommand = "nc" }
        #expect(try await edit("web") { $0.unset = [\.proxyCommand] } == Profile.named("web"))
    }

    @Test func `a profile cannot be its own jump host`() async throws {
        let error = try await failure { _ = try await edit("web") { $0.jump = "web" } }
        #expect(error.message == "jump hosts form a loop: web -> web")
        // Nothing needs to be changed first.
        #expect(error.hint == nil)
    }

    @Test func `a jump host and a proxy command replace each other`() async throws {
        #expect(try await edit("web") { $0.jump = "gate" }.jump == "gate")
        let profile = try await edit("web") { $0.proxyCommand = "nc %h %p" }
        #expect(profile.jump == nil && profile.proxyCommand == "nc %h %p")
        #expect(try await edit("web") { $0.jump = "gate" }.proxyCommand == nil)
    }

    @Test func `a jump host must be an existing profile, and jump hosts must not form a loop`() async throws {
        let missing = try await failure { _ = try await edit("web") { $0.jump = "gaet" } }
        #expect(
            missing
                == VTError(
                    .notFound,
                    "jump host 'gaet' of profile 'web' is not a profile",
                    hint: "did you mean 'gate'?"
                )
        )
        let circle = try await failure { _ = try await edit("gate") { $0.jump = "db" } }
        #expect(circle.code == .usage)
        #expect(circle.message == "jump hosts form a loop: gate -> db -> gate")
        #expect(try await failure { _ = try await add("self") { $0.jump = "self" } }.code == .usage)
        #expect(store["gate"]?.jump == nil && store["self"] == nil)
    }

    // MARK: - Removing and renaming

    @Test func `removes all of the named profiles or none`() async throws {
        #expect(try await failure { try await service.remove(["web", "nobody"]) }.code == .notFound)
        #expect(store.names == ["db", "gate", "web"])
        try await service.remove(["web", "db", "web"])
        #expect(store.names == ["gate"])
    }

    @Test func `keeps a jump host, unless the profiles that use it are removed, too`() async throws {
        let failure = try await failure { try await service.remove(["gate", "web"]) }
        #expect(failure.code == .usage)
        #expect(failure.hint?.contains("vt profile edit db --unset jump") == true)
        #expect(store.names.count == 3)
        try await service.remove(["gate", "db"])
        #expect(store.names == ["web"])
    }

    @Test func `renaming a profile updates the profiles that use it as a jump host`() async throws {
        try service.rename("gate", to: try ProfileName("bastion"))
        #expect(store.names == ["bastion", "db", "web"])
        #expect(store["db"]?.jump == "bastion")
        #expect(store["bastion"]?.name == "bastion" && store["bastion"]?.id == "id-gate")
    }

    @Test func `the new name must not be in use, and the old name must exist`() async throws {
        #expect(try await failure { try service.rename("web", to: try ProfileName("db")) }.code == .exists)
        #expect(try await failure { try service.rename("nobody", to: try ProfileName("x")) }.code == .notFound)
        try service.rename("web", to: try ProfileName("web"))
        #expect(store.names == ["db", "gate", "web"])
    }
}
