import Foundation
import TestSupport
import Testing

/// Timeouts of session commands, on this machine and on a server.
@Suite(.crowded, .sharing)
struct SessionTimeoutTests {
    /// A vt with a profile `p` for a silent server.
    private func vt(_ server: FaultServer) async throws -> Vt {
        let vt = try Vt()
        let config = "Host p\n HostName 127.0.0.1\n Port \(server.port)\n User x\n ConnectTimeout 1\n"
        let file = try vt.writeElsewhere(config, to: "config")
        try await vt.check("profile", "import", file)
        return vt
    }

    private static let conditions = [["--exit"], ["--match", "never"], ["--prompt"], ["--idle", "1h"]]

    @Test(arguments: conditions)
    func `waiting for a local session times out with status 124`(condition: [String]) async throws {
        let vt = try Vt()
        try await vt.check("sessions", "create", "x", "--", "sleep", "1000")
        let result = try await vt.call(["--json", "sessions", "wait", "x", "--timeout", "200ms"] + condition).run()
        #expect(result.status == .exited(124))
        #expect(try result.jsonError()["code"] as? String == "timed-out")
    }

    @Test(arguments: conditions)
    func `waiting for a remote session times out with status 124`(condition: [String]) async throws {
        let lab = try await Lab()
        try lab.linkVt()
        try await lab.vt.check("sessions", "create", "p:x", "--", "sleep", "1000")
        let call = lab.vt.call(["--json", "sessions", "wait", "p:x", "--timeout", "1s"] + condition)
        let result = try await call.run()
        #expect(result.status == .exited(124))
        #expect(try result.jsonError()["code"] as? String == "timed-out")
    }

    @Test(arguments: conditions)
    func `waiting times out with status 124 while connecting`(condition: [String]) async throws {
        let server = try FaultServer([.hold])
        let vt = try await vt(server)
        defer { withExtendedLifetime((vt, server)) {} }
        let call = vt.call(["--json", "sessions", "wait", "p:x", "--timeout", "200ms"] + condition)
        let result = try await call.run()
        #expect(result.status == .exited(124))
        #expect(try result.jsonError()["code"] as? String == "timed-out")
    }

    /// Without `--timeout`, the connect timeout of the profile applies.
    @Test(arguments: [
        ["attach", "p:x"], ["sessions", "wait", "p:x", "--exit"], ["sessions", "wait", "p:x", "--idle", "1s"],
        ["record", "p:x", "-o", "-"], ["record", "p:x", "-f", "-o", "-"],
        ["record", "--profile", "p", "-o", "-", "--", "true"], ["sessions", "logs", "p:x"],
        ["sessions", "logs", "p:x", "-f"],
    ])
    func `a server that sends no identification is reported as unreachable`(words: [String]) async throws {
        let passesStatusThrough = ["attach", "--exit", "--profile"].contains { words.contains($0) }
        let status: Int32 = passesStatusThrough ? 255 : 69
        let server = try FaultServer([.hold])
        let vt = try await vt(server)
        defer { withExtendedLifetime((vt, server)) {} }
        let result = try await vt.call(["--json"] + words).run()
        #expect(result.status == .exited(status), "\(result.errorText)")
        #expect(try result.jsonError()["code"] as? String == "host.unreachable")
    }
}
