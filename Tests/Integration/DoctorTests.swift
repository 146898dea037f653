import Foundation
import TestSupport
import Testing

/// `vt doctor`, on this machine and on a server.
@Suite(.crowded)
struct DoctorTests {
    private func checks(_ result: ProgramResult) throws -> [String: String] {
        let rows = try #require(try result.json()["checks"] as? [[String: any Sendable]])
        return Dictionary(rows.map { ($0["check"] as? String ?? "", $0["result"] as? String ?? "") }) { $1 }
    }

    @Test func `checks this machine`() async throws {
        let vt = try Vt()
        let result = try await vt.run("--json", "doctor")
        #expect(result.status == .exited(0))
        let found = try checks(result)
        #expect(
            Set(found.keys).isSuperset(of: [
                "vt", "libssh2", "profiles", "configuration", "sockets", "disk", "terminals", "survival",
            ])
        )
        #expect(!found.values.contains("fail"))
        #expect(try result.json()["ok"] as? Bool == true)
        #expect(try result.json()["profile"] == nil)
    }

    @Test func `exits with status 1 if a check fails`() async throws {
        let vt = try Vt()
        try await vt.check("profile", "add", "p", "host.example")
        try Data("{".utf8).write(to: URL(filePath: "\(vt.stateHome)/profiles.json"))
        let result = try await vt.run("--json", "doctor")
        #expect(result.status == .exited(1))
        #expect(try checks(result)["profiles"] == "fail")
        #expect(result.errors.isEmpty)
    }

    @Test func `a server without vt is reported with a hint`() async throws {
        let lab = try await Lab()
        let result = try await lab.vt.run("--json", "doctor", "p")
        #expect(result.status == .exited(66))
        let error = try result.jsonError()
        #expect(error["code"] as? String == "not-found")
        #expect(error["hint"] as? String == "to install it, use 'vt install p'")
    }

    @Test(arguments: ["/bin/bash", "/bin/dash", "/usr/bin/fish"])
    func `a server is checked by its own vt, with any login shell`(shell: String) async throws {
        let lab = try await Lab(.init(loginShells: [shell]))
        try await lab.addProfile("s", port: lab.server.shellPorts[shell])
        try await lab.vt.check("install", "p", "--file", TestTree.vt)
        let result = try await lab.vt.run("--json", "doctor", "s")
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(try result.json()["profile"] as? String == "s")
        let rows = try #require(try result.json()["checks"] as? [[String: any Sendable]])
        let configuration = try #require(rows.first { $0["check"] as? String == "configuration" })
        #expect(configuration["detail"] as? String == "'\(lab.server.home)/.config/vt' does not exist yet")
        let lines = try await lab.vt.check("doctor", "s").split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("s: ") })
    }

    @Test func `exits with status 1 if a check on a server fails`() async throws {
        let lab = try await Lab()
        try await lab.vt.check("install", "p", "--file", TestTree.vt)
        try FileManager.default.createDirectory(atPath: "\(lab.server.home)/.config", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(lab.server.home)/.config/vt"))
        let result = try await lab.vt.run("--json", "doctor", "p")
        #expect(result.status == .exited(1))
        #expect(try checks(result)["configuration"] == "fail")
    }

    @Test func `detects an unrelated program named vt`() async throws {
        let lab = try await Lab()
        let directory = "\(lab.server.home)/.local/bin"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try ScratchDirectory.copyProgram("/bin/echo", to: "\(directory)/vt")
        let result = try await lab.vt.run("--json", "doctor", "p")
        #expect(result.status == .exited(76))
    }
}
