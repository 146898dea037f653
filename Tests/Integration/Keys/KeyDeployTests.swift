import Foundation
import TestSupport
import Testing

/// `vt key deploy` to a real sshd that reads `~/.ssh/authorized_keys`.
@Suite struct KeyDeployTests {
    private let lab: Lab
    private var file: String { "\(lab.server.home)/.ssh/authorized_keys" }
    private var directory: String { "\(lab.server.home)/.ssh" }

    init() async throws {
        lab = try await Lab(.init(readsHomeKeys: true))
        try await lab.vt.check("key", "generate", "k", "--comment", "a 'quoted' $comment")
    }

    private func lines() throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `adds a key once, and logs in with it`() async throws {
        let shown = try await lab.vt.check("key", "show", "k")
        let first = try await lab.vt.run("key", "deploy", "p", "--json").json()
        #expect(first["outcome"] as? String == "added")
        #expect(first["verified"] as? Bool == true)
        #expect(first["path"] as? String == file)
        let second = try await lab.vt.run("key", "deploy", "p", "--key", "k", "--json").json()
        #expect(second["outcome"] as? String == "present")
        #expect(try lines().map { $0 + "\n" } == [shown])
        #expect(try mode(directory) == 0o700)
        #expect(try mode(file) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["authorized_keys"])
        try await lab.vt.check("profile", "edit", "p", "--key", "k")
        #expect(try await lab.vt.check("exec", "p", "echo hello") == "hello\n")
    }

    @Test func `keeps other lines, a missing line end and a stricter mode`() async throws {
        try write("# comment\r\nssh-ed25519 AAAA other")
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file)
        try await lab.vt.check("key", "deploy", "p")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let shown = try await lab.vt.check("key", "show", "k")
        #expect(text == "# comment\r\nssh-ed25519 AAAA other\n" + shown)
        #expect(try mode(file) == 0o400)
    }

    @Test func `a key in a comment does not count, and one in a line with options does`() async throws {
        let shown = try await lab.vt.check("key", "show", "k")
        try write("# \(shown)#\(shown)")
        #expect(try await lab.vt.run("key", "deploy", "p", "--json").json()["outcome"] as? String == "added")
        let key = shown.split(separator: " ").prefix(2).joined(separator: " \t ")
        try write("command=\"echo a b\",no-pty \(key)\r\n")
        #expect(try await lab.vt.run("key", "deploy", "p", "--json").json()["outcome"] as? String == "restricted")
        #expect(try lines().count == 1)
    }

    @Test func `follows symbolic links`() async throws {
        let elsewhere = "\(lab.server.home)/dotfiles"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        try write("")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "../dotfiles/keys")
        try await lab.vt.check("key", "deploy", "p")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == "../dotfiles/keys")
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == ["keys"])
    }

    @Test func `concurrent deployments lose no key`() async throws {
        let names = (0..<20).map { "k\($0)" }
        for name in names { try await lab.vt.check("key", "generate", name) }
        let vt = lab.vt
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in names {
                group.addTask { try await vt.check("key", "deploy", "p", "--key", name, "--no-verify") }
            }
            try await group.waitForAll()
        }
        var expected: Set<String> = []
        for name in names { expected.insert(String(try await vt.check("key", "show", name).dropLast())) }
        #expect(Set(try lines()) == expected)
        #expect(try lines().count == names.count)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["authorized_keys"])
    }

    @Test func `a server that ignores the file fails the verification`() async throws {
        let other = try await Lab()
        try await other.vt.check("key", "generate", "k")
        let result = try await other.vt.run("key", "deploy", "p", "--json")
        #expect(result.exit == 77)
        let error = try result.jsonError()
        #expect(error["code"] as? String == "auth.denied")
        #expect((error["hint"] as? String)?.contains("AuthorizedKeysFile") == true)
        #expect(try await other.vt.run("key", "deploy", "p", "--no-verify").exit == 0)
    }

    @Test func `a file that cannot be changed stays as it is`() async throws {
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        #expect(try await lab.vt.run("key", "deploy", "p").exit == 74)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["authorized_keys"])
        try FileManager.default.removeItem(atPath: directory)
        try "".write(toFile: directory, atomically: true, encoding: .utf8)
        #expect(try await lab.vt.run("key", "deploy", "p").exit == 73)
    }

    @Test func `deploys to several servers, even if one is unreachable`() async throws {
        try await lab.addProfile("q")
        try await lab.addProfile("gone", port: 1)
        let result = try await lab.vt.run("key", "deploy", "p,q", "gone", "--json")
        #expect(result.exit == 1)
        #expect(result.errorText.contains("1 of 3 targets failed"))
        #expect(try lines().count == 1)
    }

    @Test func `rejects targets and keys that cannot be used`() async throws {
        try await lab.vt.check("profile", "add", "box", "--via", "sh -c")
        #expect(try await lab.vt.run("key", "deploy", "box").exit == 64)
        #expect(try await lab.vt.run("key", "deploy", "local").exit == 64)
        #expect(try await lab.vt.run("key", "deploy", "p", "--key", "none").exit == 66)
        try await lab.vt.check("key", "generate", "second")
        #expect(try await lab.vt.run("key", "deploy", "p").exit == 64)
        try await lab.vt.check("profile", "edit", "p", "--identity", lab.server.userKeys.path(.ed25519), "--key", "k")
        #expect(try await lab.vt.run("key", "deploy", "p").exit == 0)
    }
}
