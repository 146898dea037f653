import Foundation
import TestSupport
import Testing

/// The robustness of the profiles file, and the rejection of invalid names, addresses and directories.
@Suite(.crowded)
struct ProfileSafetyTests {
    private func names(_ vt: Vt) async throws -> Set<String> {
        let list = try await vt.check("profile", "list", "--json")
        let documents = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: any Sendable]] ?? []
        return Set(documents.compactMap { $0["name"] as? String })
    }

    @Test func `keeps twenty profiles that are added concurrently`() async throws {
        let vt = try Vt()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 { group.addTask { try await vt.check("profile", "add", "t\(number)", "h\(number)") } }
            try await group.waitForAll()
        }
        let all = try await names(vt)
        #expect(all.isSuperset(of: (1...20).map { "t\($0)" }))
    }

    @Test func `killing vt at any time leaves a readable file`() async throws {
        let vt = try Vt()
        try await vt.check("profile", "add", "first", "h")
        for round in 0..<30 {
            let running = try vt.start("profile", "add", "t\(round)", "h")
            usleep(UInt32(round * 400))
            running.signal(SIGKILL)
            _ = try await running.wait()
            #expect(try await names(vt).contains("first"))
        }
        try await vt.check("profile", "add", "last", "h")
        #expect(try await names(vt).isSuperset(of: ["first", "last"]))
    }

    @Test(arguments: [
        #"{"schema": 99, "profiles": {}}"#, #"{"schema": 1, "profiles": "#, "", #"{"schema": 1, "profiles": {"x": 5}}"#,
    ])
    func `rejects a malformed file and leaves it unchanged`(_ text: String) async throws {
        let vt = try Vt()
        try vt.write(text, to: "profiles.json")
        for words in [["profile", "add", "x", "h"], ["profile", "list"], ["profile", "remove", "x"]] {
            let result = try await vt.call(["--json"] + words).run()
            #expect(result.status == .exited(78), "\(words)")
            #expect(try result.jsonError()["code"] as? String == "config")
            #expect(result.errorText.contains("profiles.json"))
        }
        let exec = try await vt.run("--json", "exec", "x", "true")
        #expect(exec.status == .exited(255))
        #expect(try exec.jsonError()["code"] as? String == "config")
        #expect(try String(contentsOfFile: "\(vt.stateHome)/profiles.json", encoding: .utf8) == text)
    }

    @Test(arguments: ["a\nb", "a\u{1b}b", "a/b", "", "local", "-x", ".", "..", "a,b", "a:b", "a b", "a@b"])
    func `rejects an invalid name`(_ name: String) async throws {
        let vt = try Vt()
        let result = try await vt.run("profile", "add", "--", name, "h")
        #expect(result.status == .exited(64))
        #expect(!result.errors.contains(0x1b))
    }

    @Test(arguments: ["h:0", "h:70000", "h:abc", "h:", ""])
    func `rejects an invalid address`(_ address: String) async throws {
        let vt = try Vt()
        #expect(try await vt.run("profile", "add", "x", address).status == .exited(64))
    }

    @Test func `a profile named like an error code is an ordinary profile`() async throws {
        let vt = try Vt()
        try await vt.check("profile", "add", "auth.denied", "x@auth.invalid")
        let result = try await vt.run("--json", "exec", "auth.denied", "true")
        #expect(try result.jsonError()["code"] as? String == "host.unresolved")
    }

    @Test func `the state is accessible only to the user`() async throws {
        let vt = try Vt()
        try await vt.check("profile", "add", "x", "h")
        let file = try FileManager.default.attributesOfItem(atPath: "\(vt.stateHome)/profiles.json")
        #expect(file[.posixPermissions] as? Int == 0o600)
        let directory = try FileManager.default.attributesOfItem(atPath: vt.stateHome)
        #expect(directory[.posixPermissions] as? Int == 0o700)
    }

    @Test func `without HOME, vt uses VT_HOME or the passwd database, or reports an error`() async throws {
        let vt = try Vt()
        var call = vt.call(["profile", "list"])
        call.environment["HOME"] = nil
        #expect(try await call.run().status == .exited(0))
        call.environment["VT_HOME"] = nil
        let result = try await call.run()
        // The command succeeds if the passwd database contains the user's home directory.
        #expect([.exited(0), .exited(78)].contains(result.status))
    }

    @Test func `reports a state directory that cannot be created`() async throws {
        let vt = try Vt()
        var call = vt.call(["--json", "profile", "add", "x", "h"])
        // Not even root can create a directory below a file.
        call.environment["VT_HOME"] = "/dev/null/vt"
        let result = try await call.run()
        #expect([71, 73, 74, 78, 66].contains(result.exit ?? 0), "\(result.errorText)")
        #expect(try result.jsonError()["message"] as? String != nil)
    }
}
