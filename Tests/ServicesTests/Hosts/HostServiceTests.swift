import Core
import CoreTestSupport
import Services
import Testing

@Suite struct HostServiceTests {
    private let registry: MemoryHostKeys
    private let service: HostService
    private let plan: SSHPlan

    init() throws {
        registry = MemoryHostKeys([
            .sample("h.example", "ssh-ed25519", "#ed"), .sample("h.example", "ssh-rsa", "#old"),
            .sample("other", "ssh-rsa", "#rsa"), .sample("theirs", "ssh-rsa", "#rsa", isOwn: false),
        ])
        let keys = [
            HostKey.sample("ssh-ed25519", "#ed"), .sample("ecdsa-sha2-nistp256", "#ec"), .sample("ssh-rsa", "#rsa"),
        ]
        service = try Self.service(registry, keys.compactMap(\.self))
        plan = SSHPlan.sample("h")
    }

    private static func service(_ registry: MemoryHostKeys, _ keys: [HostKey]) throws -> HostService {
        var world = World(clock: ContinuousClock(), diagnostics: RecordedNotes())
        world.hostKeys = { _ in registry }
        world.connector = { _ in FakeServer(keys: keys) }
        return try HostService(world)
    }

    private func ownKeys() throws -> [String] {
        try service.list(Endpoint(host: "h.example")).map(\.fingerprint)
    }

    @Test func `a scan reports how each key relates to the known keys`() async throws {
        let keys = try await service.scan(plan)
        #expect(keys.map(\.fingerprint) == ["#ed", "#ec", "#rsa"])
        #expect(keys.map(\.standing) == [.known, .new, .changed])
    }

    @Test(arguments: [
        ("#rsa", [HostService.Standing.new, .new, .known]), ("#ec", [.new, .known, .new]),
        ("#other", [.changed, .changed, .changed]),
    ])
    func `a scan compares the keys with the one that the profile pins`(
        pin: String,
        standings: [HostService.Standing]
    ) async throws {
        var plan = plan
        plan.hostKeyPolicy = .pin(pin)
        #expect(try await service.scan(plan).map(\.standing) == standings)
        let pinned = plan
        let error = try await failure {
            _ = try await service.trust(pinned, fingerprints: nil, replacing: true)
        }
        #expect(error.code == .usage)
        #expect(try ownKeys() == ["#ed", "#old"])
    }

    @Test func `reports a server without a usable host key`() async throws {
        let service = try Self.service(registry, [])
        #expect(try await failure { _ = try await service.scan(plan) }.code == .protocolViolation)
    }

    @Test func `trusts only the key with the given fingerprint`() async throws {
        let trusted = try await service.trust(plan, fingerprints: ["#ec"], replacing: false)
        #expect(trusted.map(\.fingerprint) == ["#ec"])
        #expect(try ownKeys() == ["#ed", "#old", "#ec"])
    }

    @Test func `rejects a fingerprint that no key of the server has`() async throws {
        let error = try await failure {
            _ = try await service.trust(plan, fingerprints: ["#ec", "#no"], replacing: false)
        }
        #expect(error.code == .hostKeyUnknown)
        #expect(try ownKeys() == ["#ed", "#old"])
    }

    @Test func `trusts all keys if no fingerprints are specified`() async throws {
        #expect(try await service.trust(plan, fingerprints: nil, replacing: true).count == 3)
    }

    @Test func `removes a forgotten host, and forgetting it again is not an error`() throws {
        #expect(try service.forget(Endpoint(host: "h.example"), isDryRun: true).count == 2)
        #expect(try service.forget(Endpoint(host: "h.example")).count == 2)
        #expect(try service.forget(Endpoint(host: "h.example")).isEmpty)
        #expect(try service.list(nil).count == 2)
    }

    @Test func `suggests ssh-keygen for removing a host that is only in an OpenSSH file`() async throws {
        let error = try await failure { _ = try service.forget(Endpoint(host: "theirs")) }
        #expect(error.code == .notFound)
        #expect(error.hint == "to remove it there, run: ssh-keygen -f /user/known_hosts -R theirs")
    }
}
