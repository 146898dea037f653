import Commands
import Core
import CoreTestSupport
import Foundation
import Testing

/// The commands for profiles and host keys, with both in memory.
@Suite struct ProfileCommandTests {
    @Test func `a server is saved with what the options say`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("profile add web ann@web.example:2222 --tag prod --keep-alive 20s") == 0)
        #expect(fixture.output.text == "")
        let profile = fixture.machine.profiles["web"]
        #expect(profile?.host == "web.example")
        #expect(profile?.port == 2222)
        #expect(profile?.user == "ann")
        #expect(profile?.tags == ["prod"])
    }

    @Test func `a password comes from standard input and goes to the store of secrets`() async throws {
        let fixture = RunFixture(input: MemoryInput("hunter2\nmore\n"))
        #expect(await fixture.run("profile add web web.example --password-stdin --secret-store file") == 0)
        let profile = try #require(fixture.machine.profiles["web"])
        #expect(profile.password == .stored)
        #expect(fixture.machine.secrets.text(.file, profile.id) == "hunter2")
    }

    @Test func `a password is not read from a terminal`() async {
        let fixture = RunFixture(input: MemoryInput(isTerminal: true))
        #expect(await fixture.run("profile add web web.example --password-stdin") == 64)
        #expect(fixture.machine.profiles.names == [])
        #expect(fixture.errorOutput.text.hasPrefix("vt: --password-stdin: standard input is a terminal\n"))
    }

    @Test func `a name that is taken is not replaced`() async throws {
        let fixture = RunFixture(machine: FakeMachine(profiles: MemoryProfileStore(try .named("web"))))
        #expect(await fixture.run("profile add web other.example") == .status(VTError.Code.exists.status))
        #expect(fixture.machine.profiles["web"]?.host == "web.example")
    }

    @Test func `the list is sorted and selects by tag`() async throws {
        let store = MemoryProfileStore(
            try .named("web") { $0.tags = ["prod"] },
            try .named("db") { $0.tags = ["prod"] },
            try .named("test")
        )
        let fixture = RunFixture(machine: FakeMachine(profiles: store))
        #expect(await fixture.run("profile list --tag prod") == 0)
        #expect(fixture.output.text.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["NAME", "db", "web"])
    }

    @Test func `a key that a server presents is trusted by its fingerprint`() async throws {
        let key = try #require(HostKey.sample("ssh-ed25519", "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"))
        let fixture = RunFixture(machine: FakeMachine(connector: FakeServer(keys: [key])))
        let fingerprint = fixture.machine.hostKeys.fingerprint(of: key)
        #expect(await fixture.run("host trust web.example --all") == 0)
        #expect(fixture.errorOutput.text == "vt: trusted: ssh-ed25519 \(fingerprint)\n")
        #expect(try fixture.machine.hostKeys.knownHosts(for: nil).map(\.names) == ["web.example"])
    }

    @Test func `a key that no server presents is not trusted`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("host trust web.example --all") == .status(VTError.Code.protocolViolation.status))
        #expect(fixture.errorOutput.text == "vt: 'web.example:22' has no host key of a supported type\n")
    }
}
