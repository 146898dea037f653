import Arguments
import Commands
import Core
import CoreTestSupport
import Foundation
import Testing

/// The commands for profiles and host keys, with in-memory stores.
@Suite struct ProfileCommandTests {
    @Test func `saves a server with the specified options`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("profile add web ann@web.example:2222 --tag prod --keep-alive 20s") == 0)
        #expect(fixture.output.text == "")
        let profile = fixture.machine.profiles["web"]
        #expect(profile?.host == "web.example")
        #expect(profile?.port == 2222)
        #expect(profile?.user == "ann")
        #expect(profile?.tags == ["prod"])
    }

    @Test func `a list has each value once, and the last value of a variable`() async {
        let fixture = RunFixture()
        let lists = "--identity /etc/passwd --identity /etc --identity /etc/../etc/passwd --identity /etc/passwd"
        #expect(await fixture.run("profile add web h --tag a --tag b --tag a --env A=1 --env A=2 \(lists)") == 0)
        let profile = fixture.machine.profiles["web"]
        #expect(profile?.tags == ["a", "b"])
        #expect(profile?.environment == ["A": "2"])
        #expect(profile?.identities == ["/etc/passwd", "/etc", "/etc/../etc/passwd"])
    }

    @Test func `a field is reset before the other options are applied`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("profile add web h --tag a --note n --port 99 --env A=1") == 0)
        #expect(await fixture.run("profile edit web --tag b --unset tag --unset note --unset port --unset env") == 0)
        let profile = fixture.machine.profiles["web"]
        #expect(profile?.tags == ["b"] && profile?.note == nil && profile?.port == 22 && profile?.environment == [:])
    }

    @Test func `every optional field can be reset`() throws {
        let unset = try #require(ProfileEditCommand.spec.options.first { $0.long == "unset" })
        let kept: Set = ["id", "name", "host", "link", "secret_store", "created_at", "last_connected_at"]
        #expect(unset.value?.choices.count == Profile.fields.fields.filter { !kept.contains($0.name) }.count)
    }

    @Test func `a private key that does not exist is noted`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("profile add web web.example --identity /etc/passwd --identity /no/key") == 0)
        #expect(
            fixture.errorOutput.text == "vt: private key '/no/key' does not exist; it is needed to connect to 'web'\n"
        )
    }

    @Test func `a file of authorities is only for https, and a missing one is noted`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("profile add mac --vibetunnel http://mac.example --ca /no/ca.pem") == 64)
        #expect(fixture.machine.profiles["mac"] == nil)
        #expect(await fixture.run("profile add pc --vibetunnel https://pc.example --ca /no/ca.pem") == 0)
        #expect(
            fixture.errorOutput.text.hasSuffix(
                "vt: file '/no/ca.pem' does not exist; it is needed to connect to 'pc'\n"
            )
        )
        #expect(await fixture.run("profile edit pc --vibetunnel http://pc.example") == 64)
        #expect(await fixture.run("profile edit pc --vibetunnel http://pc.example --unset ca") == 0)
    }

    @Test func `the host and port of SSH are absent from other profiles`() async throws {
        let fixture = RunFixture()
        #expect(await fixture.run("profile add mac --vibetunnel https://mac.example --json") == 0)
        let document = Array(fixture.output.text.utf8)
        let json = try JSONOutlineParser.parse(document)
        #expect(json.member("host") == nil && json.member("port") == nil)
        #expect(json.member("vibetunnel")?.string(in: document) == "https://mac.example/")
    }

    @Test func `reads a password from standard input and saves it in the secret store`() async throws {
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

    @Test func `does not replace an existing profile`() async throws {
        let fixture = RunFixture(machine: FakeMachine(profiles: MemoryProfileStore(try .named("web"))))
        #expect(await fixture.run("profile add web other.example") == .status(VTError.Code.exists.status))
        #expect(fixture.machine.profiles["web"]?.host == "web.example")
    }

    @Test func `the list is sorted and can be limited to a tag`() async throws {
        let store = MemoryProfileStore(
            try .named("web") { $0.tags = ["prod"] },
            try .named("db") { $0.tags = ["prod"] },
            try .named("test")
        )
        let fixture = RunFixture(machine: FakeMachine(profiles: store))
        #expect(await fixture.run("profile list --tag prod") == 0)
        #expect(fixture.output.text.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["NAME", "db", "web"])
    }

    @Test func `trusts the key that a server presents, and reports its fingerprint`() async throws {
        let key = try #require(HostKey.sample("ssh-ed25519", "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"))
        let fixture = RunFixture(machine: FakeMachine(connector: FakeServer(keys: [key])))
        let fingerprint = fixture.machine.hostKeys.fingerprint(of: key)
        #expect(await fixture.run("host trust web.example --all") == 0)
        #expect(fixture.errorOutput.text == "vt: trusted: ssh-ed25519 \(fingerprint)\n")
        #expect(try fixture.machine.hostKeys.knownHosts(for: nil, in: HostKeyLookup()).map(\.names) == ["web.example"])
    }

    @Test func `trusts nothing if a server presents no key`() async {
        let fixture = RunFixture()
        #expect(await fixture.run("host trust web.example --all") == .status(VTError.Code.protocolViolation.status))
        #expect(fixture.errorOutput.text == "vt: 'web.example:22' has no host key of a supported type\n")
    }
}
