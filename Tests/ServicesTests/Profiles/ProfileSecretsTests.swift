import Core
import CoreTestSupport
import Services
import Synchronization
import Testing

/// The stored secrets of profiles that are added, changed, renamed and removed.
@Suite struct ProfileSecretsTests {
    private let store: MemoryProfileStore
    private let secrets = MemorySecretStore()
    private var service: ProfileService { ProfileService(profiles: store, secrets: secrets) }
    private let hunter2: Secret

    init() throws {
        hunter2 = try Secret(Array("hunter2".utf8))
        let web = try Profile.named("web") { profile in
            profile.password = .stored
            profile.secretStore = .secretService
        }
        store = MemoryProfileStore(web, try .named("db"))
        try secrets.set("old", web, .password)
    }

    private func add(_ name: String, replacing: Bool = false, _ kind: SecretStoreKind? = nil) async throws -> Profile {
        var edit = ProfileEdit()
        edit.secretStore = kind
        return try await service.add(
            try ProfileName(name),
            to: Destination(host: "h"),
            edit,
            secrets: [.password: hunter2],
            replacing: replacing
        )
    }

    private func edit(
        _ name: String,
        _ given: ProfileService.GivenSecrets = [:],
        _ body: (inout ProfileEdit) -> Void = { _ in }
    ) async throws -> Profile {
        var edit = ProfileEdit()
        body(&edit)
        return try await service.edit(name, edit, secrets: given)
    }

    @Test(arguments: [nil, SecretStoreKind.file])
    func `saves a given secret in the selected store`(kind: SecretStoreKind?) async throws {
        let profile = try await add("new", kind)
        #expect(profile.password == .stored)
        #expect(profile.secretStore == kind ?? .secretService)
        #expect(secrets.text(kind ?? .secretService, profile.id) == "hunter2")
    }

    @Test func `a profile that cannot be saved adds no secret to the store`() async throws {
        #expect(try await failure { _ = try await add("web") }.code == .exists)
        store.failure.withLock { $0 = VTError(.busy, "locked") }
        #expect(try await failure { _ = try await add("new") }.code == .busy)
        #expect(secrets.places.count == 1)
    }

    @Test func `a secret that cannot be stored prevents adding the profile`() async throws {
        secrets.failure.withLock { $0 = VTError(.config, "no keyring") }
        #expect(try await failure { _ = try await add("new") }.message == "no keyring")
        #expect(store.names == ["db", "web"])
    }

    @Test func `removes the secret of a replaced profile`() async throws {
        let profile = try await add("web", replacing: true)
        #expect(secrets.text(.secretService, "id-web") == nil)
        #expect(secrets.text(.secretService, profile.id) == "hunter2")
    }

    @Test func `removes the secrets of a removed profile`() async throws {
        try await service.remove(["web"])
        #expect(secrets.places.isEmpty)
    }

    @Test func `keeps a profile whose secret cannot be removed, unless overridden`() async throws {
        secrets.failure.withLock { $0 = VTError(.config, "no keyring") }
        #expect(try await failure { try await service.remove(["web"]) }.code == .config)
        #expect(store.names == ["db", "web"])
        try await service.remove(["web"], keepingSecrets: true)
        #expect(store.names == ["db"])
    }

    @Test func `a profile without secrets requires no secret store`() async throws {
        secrets.failure.withLock { $0 = VTError(.config, "no keyring") }
        _ = try await edit("db") { $0.note = "n" }
        try await service.remove(["db"])
        #expect(store.names == ["web"])
    }

    @Test func `a new secret replaces the old one`() async throws {
        #expect(try await edit("web", [.password: hunter2]).password == .stored)
        #expect(secrets.text(.secretService, "id-web") == "hunter2")
        #expect(secrets.places.count == 1)
    }

    @Test func `removes a secret that is no longer used`() async throws {
        let profile = try await edit("web") { $0.password = .environment("P") }
        #expect(profile.secretStore == nil)
        #expect(secrets.places.isEmpty)
    }

    @Test func `unsetting a password removes it from the store`() async throws {
        _ = try await edit("web") { $0.unset = [\.password] }
        #expect(secrets.places.isEmpty)
        #expect(store["web"]?.password == SecretSource.none)
    }

    @Test func `moves secrets to another store`() async throws {
        let profile = try await edit("web") { $0.secretStore = .file }
        #expect(profile.secretStore == .file)
        #expect(secrets.text(.file, "id-web") == "old")
        #expect(secrets.text(.secretService, "id-web") == nil)
    }

    @Test func `rejects a secret store for a profile without secrets`() async throws {
        #expect(try await failure { _ = try await edit("db") { $0.secretStore = .file } }.code == .usage)
    }

    @Test func `a renamed profile keeps its secret`() async throws {
        try service.rename("web", to: try ProfileName("site"))
        #expect(secrets.text(.secretService, try #require(store["site"]).id) == "old")
    }
}
