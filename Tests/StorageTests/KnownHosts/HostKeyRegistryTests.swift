import Core
import Storage
import TestSupport
import Testing

@Suite struct HostKeyRegistryTests {
    private let fixture: TrustFixture
    private var registry: any TrustStore { fixture.store() }

    init() throws {
        fixture = try TrustFixture()
    }

    @Test func `lists all keys with file and line`() async throws {
        let (first, second) = (try await fixture.key(), try await fixture.key(.ecdsa))
        try fixture.write(own: "web.example \(first.text)")
        try fixture.write(user: "# comment", "@revoked *.example \(second.text)", "other \(second.text)")
        let hosts = try registry.knownHosts(for: nil, in: HostKeyLookup())
        #expect(hosts.map(\.names) == ["web.example", "*.example", "other"])
        #expect(hosts.map(\.line) == [1, 2, 3])
        #expect(hosts.map(\.isOwn) == [true, false, false])
        #expect(hosts.map(\.marker) == [nil, .revoked, nil])
        #expect(hosts[1].keyType == "ecdsa-sha2-nistp256")
        #expect(hosts[0].fingerprint == registry.fingerprint(of: first.hostKey))
        #expect(
            try registry.knownHosts(for: fixture.host, in: HostKeyLookup()).map(\.names) == [
                "*.example", "web.example",
            ]
        )
    }

    @Test func `adds a key of an additional type, but not an existing one`() async throws {
        let (first, second) = (try await fixture.key(), try await fixture.key(.ecdsa))
        #expect(try registry.add(first.hostKey, for: fixture.host, in: HostKeyLookup(), replacing: false) == .stored)
        #expect(try registry.add(second.hostKey, for: fixture.host, in: HostKeyLookup(), replacing: false) == .stored)
        #expect(try registry.add(second.hostKey, for: fixture.host, in: HostKeyLookup(), replacing: false) == .known)
        #expect(try fixture.own == "web.example \(first.text)\nweb.example \(second.text)\n")
    }

    @Test func `replaces another key of the same type only on request`() async throws {
        let (old, new) = (try await fixture.key(), try await fixture.key())
        try fixture.write(own: "web.example \(old.text)", "web.example,other \(old.text)", "third \(old.text)")
        let failure = #expect(throws: VTError.self) {
            try registry.add(new.hostKey, for: fixture.host, in: HostKeyLookup(), replacing: false)
        }
        #expect(failure?.code == .hostKeyChanged)
        #expect(try registry.add(new.hostKey, for: fixture.host, in: HostKeyLookup(), replacing: true) == .stored)
        #expect(try fixture.own == "other \(old.text)\nthird \(old.text)\nweb.example \(new.text)\n")
    }

    @Test func `replaces keys of other types as well`() async throws {
        let (old, new, other) = (try await fixture.key(), try await fixture.key(), try await fixture.key(.ecdsa))
        try fixture.write(
            own: "web.example \(old.text)",
            "web.example,b \(other.text)",
            "[web.example]:2222 \(old.text)"
        )
        #expect(try registry.add(new.hostKey, for: fixture.host, in: HostKeyLookup(), replacing: true) == .stored)
        #expect(
            try fixture.own == "b \(other.text)\n[web.example]:2222 \(old.text)\nweb.example \(new.text)\n"
        )
    }

    @Test func `a conflict in an OpenSSH file cannot be replaced`() async throws {
        let (old, new, own) = (try await fixture.key(), try await fixture.key(), try await fixture.key())
        try fixture.write(user: "web.example \(old.text)")
        try fixture.write(own: "web.example \(own.text)")
        #expect(throws: VTError.self) {
            try registry.add(new.hostKey, for: fixture.host, in: HostKeyLookup(), replacing: true)
        }
        #expect(try fixture.own == "web.example \(own.text)\n")
    }

    @Test func `removes a forgotten host and leaves everything else as written`() async throws {
        let key = try await fixture.key()
        try fixture.write(
            own: "# comment",
            "  Web.example  \(key.text) mine",
            "",
            "a,WEB.example,b \(key.text) theirs",
            "@revoked web.example \(key.text)",
            "*.example \(key.text)",
            "[web.example]:2222 \(key.text)"
        )
        let before = try fixture.own
        #expect(try registry.forget(fixture.host, isDryRun: true).map(\.line) == [2, 4])
        #expect(try fixture.own == before)
        let removed = try registry.forget(fixture.host, isDryRun: false)
        #expect(removed.map(\.line) == [2, 4])
        #expect(
            try fixture.own == """
                # comment

                a,b \(key.text) theirs
                @revoked web.example \(key.text)
                *.example \(key.text)
                [web.example]:2222 \(key.text)

                """
        )
        #expect(try registry.forget(fixture.host, isDryRun: false).isEmpty)
    }

    @Test func `also forgets a hashed name`() async throws {
        let key = try await fixture.key()
        try fixture.write(own: "web.example \(key.text)")
        try await ProgramCall("/usr/bin/ssh-keygen", ["-H", "-f", fixture.ownFile]).check()
        #expect(try registry.forget(fixture.host, isDryRun: false).count == 1)
        #expect(try fixture.own == "")
    }

    @Test func `forgetting a host does not require a file`() throws {
        #expect(try registry.forget(fixture.host, isDryRun: false).isEmpty)
    }
}
