import Foundation
import TestSupport
import Testing

/// Names from services other than /etc/passwd, /etc/hosts and DNS; the tests run as root, so that they can replace
/// /etc/nsswitch.conf in a mount namespace.
@Suite(.asRoot)
struct NameServiceTests {
    /// Runs a line of bash in which /etc/nsswitch.conf names modules first, and `getent` is a script.
    private func run(_ line: String, on lab: Lab, getent: String, scratch: ScratchDirectory) async throws
        -> ProgramResult
    {
        let services = "passwd: systemd files\ngroup: systemd files\nhosts: myhostname files dns\n"
        let switches = try scratch.write(services, to: "nsswitch.conf", mode: 0o644)
        try scratch.write("#!/bin/sh\n\(getent)\n", to: "bin/getent", mode: 0o755)
        let script = "mount --bind \(switches) /etc/nsswitch.conf && PATH=\(scratch.path("bin")):$PATH && \(line)"
        return try await ProgramCall("unshare", ["-m", "bash", "-c", script], environment: lab.vt.environment).run()
    }

    @Test func `a host name from another service is resolved by getent, without loading modules`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let scratch = try ScratchDirectory()
        let key = lab.server.userKeys.path(.ed25519)
        let address = "\(lab.server.user)@web.fixture:\(lab.server.port)"
        try await lab.vt.check("profile", "add", "web", address, "--identity", key, "--no-agent")
        let trace = scratch.path("trace")
        let result = try await run(
            "strace -f -qq -e trace=open,openat,execve -o \(trace) \(TestTree.vt) exec web 'echo in'",
            on: lab,
            getent: "[ \"$*\" = 'ahosts -- web.fixture' ] && echo '127.0.0.1 STREAM web.fixture'",
            scratch: scratch
        )
        #expect(result.text == "in\n", "\(result.errorText)")
        let calls = try String(contentsOfFile: trace, encoding: .utf8)
        #expect(calls.contains("nsswitch.conf"))
        #expect(!calls.contains("libnss"))
        #expect(!calls.contains("openssl.cnf"))
    }

    @Test func `a host name that getent does not know is unresolved`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let line = "\(TestTree.vt) --json exec x@other.fixture true"
        let result = try await run(line, on: lab, getent: "exit 2", scratch: try ScratchDirectory())
        #expect(try result.jsonError()["code"] as? String == "host.unresolved")
        let message = try #require(try result.jsonError()["message"] as? String)
        #expect(message == "cannot resolve 'other.fixture': name or service not known")
    }

    @Test func `a lookup that does not end is bounded by the connect timeout`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let line = "\(TestTree.vt) --json exec --connect-timeout 200ms x@slow.fixture true"
        let result = try await run(line, on: lab, getent: "exec sleep 1000", scratch: try ScratchDirectory())
        #expect(try result.jsonError()["code"] as? String == "host.unreachable")
    }
}
