import Foundation
import TestSupport
import Testing

/// `vt profile test`: the steps, and the exit status if a step fails.
@Suite(.crowded)
struct ProfileTestTests {
    private func steps(_ result: ProgramResult) throws -> [(name: String, isDone: Bool)] {
        let steps = try #require(try result.json()["steps"] as? [[String: any Sendable]])
        return steps.map { ($0["step"] as? String ?? "", $0["ok"] as? Bool ?? false) }
    }

    @Test func `shows all steps of a successful connection`() async throws {
        let lab = try await Lab()
        let result = try await lab.vt.run("--json", "profile", "test", "p")
        #expect(result.status == .exited(0))
        let names = try steps(result).filter(\.isDone).map(\.name)
        #expect(names == ["resolve", "connect", "identify", "trust", "exchange-keys", "authenticate", "vt"])
    }

    @Test func `stops at a failed step`() async throws {
        let lab = try await Lab()
        try await lab.addProfile("down", port: LoopbackPort.free())
        let down = try await lab.vt.run("--json", "profile", "test", "down")
        #expect(down.status == .exited(69))
        #expect(try steps(down).last.map { $0 == ("connect", false) } == true)
        try await lab.addProfile("denied", key: nil)
        let denied = try await lab.vt.run("--json", "profile", "test", "denied")
        #expect(denied.status == .exited(77))
        #expect(try steps(denied).last.map { $0 == ("authenticate", false) } == true)
    }

    @Test func `a server that never responds times out`() async throws {
        let server = try FaultServer([.hold])
        let vt = try Vt()
        try await vt.check("profile", "add", "p", "x@127.0.0.1:\(server.port)", "--no-agent")
        let result = try await vt.run("--json", "profile", "test", "p", "--connect-timeout", "500ms")
        #expect(result.status == .exited(69))
        #expect(try steps(result).last.map { $0 == ("identify", false) } == true)
    }
}
