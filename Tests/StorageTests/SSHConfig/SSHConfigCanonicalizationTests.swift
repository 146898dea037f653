import Core
import Storage
import System
import TestSupport
import Testing

/// CanonicalizeHostname, with a getent(1) that knows only `web.b.example`.
@Suite struct SSHConfigCanonicalizationTests {
    private let fixture: SSHConfigFixture

    init() throws {
        fixture = try SSHConfigFixture()
        let program = "#!/bin/sh\n[ \"$*\" = 'ahosts web.b.example.' ]\n"
        try fixture.scratch.write(program, to: "bin/getent", mode: 0o755)
    }

    private func settings(_ text: String, _ host: String, given: [String: String] = [:]) throws -> HostSettings {
        let path = try fixture.scratch.write(
            "CanonicalDomains a.example b.example\n\(text)\nMatch canonical\n  User late\n",
            to: "config"
        )
        let reader = FileSSHConfigurationReader(
            home: "/nowhere",
            account: fixture.account,
            environment: Environment(["PATH": "\(fixture.scratch.path("bin")):/usr/bin:/bin"])
        )
        return try reader.read(path, runsPrograms: true).settings(for: host, given: given)
    }

    @Test func `a name is completed with the first domain in which it exists`() throws {
        let found = try settings("CanonicalizeHostname yes\nHost web.b.example\n  Port 7", "web")
        #expect(found.hostName == "web.b.example" && found.port == 7 && found.user == "late")
        #expect(try settings("CanonicalizeHostname yes", "other").hostName == "other")
        #expect(try settings("", "web", given: ["canonicalizehostname": "always"]).hostName == "web.b.example")
    }

    @Test(arguments: [
        "CanonicalizeHostname no", "CanonicalizeHostname yes\nProxyJump gate",
        "CanonicalizeHostname yes\nHostName x.y.z", "CanonicalizeHostname yes\nHostName 10.1",
    ])
    func `other names are kept`(_ text: String) throws {
        #expect(try settings(text, "web").hostName != "web.b.example")
    }

    @Test func `a name that must exist in a domain is an error if it does not`() throws {
        let text = "CanonicalizeHostname always\nCanonicalizeFallbackLocal no\nProxyJump gate"
        #expect(try settings(text, "web").hostName == "web.b.example")
        let error = #expect(throws: VTError.self) { try settings(text, "other") }
        #expect(error?.code == .hostUnresolved)
    }
}
