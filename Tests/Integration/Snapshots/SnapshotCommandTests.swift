import Foundation
import TestSupport
import Testing

/// Snapshots, rollbacks and comparisons of the work trees of sessions.
struct SnapshotCommandTests {
    private let vt: Vt
    private let tree: String

    init() throws {
        vt = try Vt()
        tree = "\(vt.home)/tree"
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(tree)/\(name)", atomically: true, encoding: .utf8)
    }

    private func read(_ name: String) -> String? {
        try? String(contentsOfFile: "\(tree)/\(name)", encoding: .utf8)
    }

    private func create(_ options: String...) async throws {
        try await vt.call(["sessions", "create", "s", "--cwd", tree] + options + ["--", "bash"]).check()
        try await vt.check("sessions", "wait", "s", "--prompt")
    }

    @Test func `a snapshot is listed, shown, compared and restored`() async throws {
        try write("one\n", to: "a")
        try await create()
        let id = try await vt.check("snapshot", "create", "s", "--name", "start").trimmingCharacters(in: .newlines)
        #expect(id.count == 12)
        try await vt.check("sessions", "exec", "s", "echo two >a; echo new >b")
        #expect(try await vt.check("diff", "s", "--name-status") == "M\ta\nA\tb\n")
        #expect(try await vt.run("diff", "s", "start", "--exit-code", "--", "b").exit == 1)
        #expect(try await vt.run("diff", "s", "start..start", "--exit-code").exit == 0)
        let list = try await vt.run("snapshot", "list", "s", "--json")
        let snapshots = try #require(try JSONSerialization.jsonObject(with: Data(list.output)) as? [[String: Any]])
        #expect(snapshots.map { $0["id"] as? String } == [id])
        #expect(try await vt.check("snapshot", "show", "s", "start").contains("\(tree)\n"))
        #expect(try await vt.run("rollback", "s", "start").exit == 64)
        #expect(try await vt.check("rollback", "s", "start", "--dry-run") == "M\ta\nD\tb\n")
        let rollback = try await vt.run("rollback", "s", id, "--yes")
        #expect(rollback.exit == 0, "\(rollback.errorText)")
        #expect((read("a"), read("b")) == ("one\n", nil))
        let safety = rollback.text.trimmingCharacters(in: .newlines)
        #expect(rollback.errorText.contains("to undo this: vt rollback s \(safety) --yes"))
        let recording = try await vt.check("record", "s", "--output", "-")
        #expect(recording.contains("rollback to snapshot \(id), from \(safety)"))
        try await vt.check("rollback", "s", safety, "--yes")
        #expect((read("a"), read("b")) == ("two\n", "new\n"))
        #expect(try await vt.check("snapshot", "remove", "s", "start") == id + "\n")
        #expect(try await vt.run("rollback", "s", "start", "--yes").exit == 66)
    }

    @Test func `a running command prevents a rollback unless it is forced`() async throws {
        try write("one\n", to: "a")
        try await create()
        try await vt.check("snapshot", "create", "s", "--name", "start")
        try await vt.check("sessions", "send", "s", "cat", "--enter")
        try await vt.check("sessions", "send", "s", "x", "--enter", "--wait", "match=^x")
        try write("two\n", to: "a")
        let busy = try await vt.run("rollback", "s", "start", "--yes")
        #expect(busy.exit == 75, "\(busy.errorText)")
        #expect(read("a") == "two\n")
        try await vt.check("rollback", "s", "start", "--yes", "--force")
        #expect(read("a") == "one\n")
        try await vt.check("sessions", "kill", "s")
        try write("three\n", to: "a")
        try await vt.check("rollback", "s", "start", "--yes")
        #expect(read("a") == "one\n")
    }

    @Test func `a rollback waits for the first prompt of a shell`() async throws {
        try write("one\n", to: "a")
        try await create()
        try await vt.check("snapshot", "create", "s", "--name", "start")
        try write("two\n", to: "a")
        try await vt.check("sessions", "kill", "s", "--rm")
        try "sleep 1\n".write(toFile: "\(vt.home)/.bashrc", atomically: true, encoding: .utf8)
        try await vt.check("sessions", "create", "s", "--cwd", tree, "--", "bash")
        try await vt.check("rollback", "s", "start", "--yes")
        #expect(read("a") == "one\n")
    }

    @Test(arguments: ["freeze", "pause", "crash"])
    func `a suspended session is rolled back, and continues`(_ verb: String) async throws {
        try write("one\n", to: "a")
        try await create()
        try await vt.check("snapshot", "create", "s", "--name", "start")
        try await vt.check("sessions", "exec", "s", "echo two >a; mkdir d; echo new >d/b")
        try await vt.check("sessions", verb == "freeze" ? "freeze" : "pause", "s")
        if verb == "crash" {
            kill(try await vt.holder(of: "s"), SIGKILL)
            #expect(await eventually { vt.processes.isEmpty })
        }
        let rollback = try await vt.run("rollback", "s", "start", "--yes")
        #expect(rollback.exit == 0 && !rollback.errorText.contains("cannot add a marker"), "\(rollback.errorText)")
        #expect((read("a"), read("d/b")) == ("one\n", nil))
        let safety = rollback.text.trimmingCharacters(in: .newlines)
        #expect(try await vt.check("record", "s", "--output", "-").contains(", from \(safety)"))
        try await vt.check("sessions", "resume", "s")
        #expect(try await vt.check("sessions", "exec", "s", "--wait", "20s", "cat a") == "one\n")
        try await vt.check("rollback", "s", safety, "--yes")
        #expect((read("a"), read("d/b")) == ("two\n", "new\n"))
    }

    @Test func `a snapshot precedes each command that vt starts`() async throws {
        try write("0\n", to: "a")
        try await create("--auto-snapshot", "--keep-snapshots", "2")
        for number in 1...4 { try await vt.check("sessions", "exec", "s", "echo \(number) >a") }
        try await vt.check("sessions", "exec", "s", "true")
        try await vt.check("sessions", "wait", "s", "--prompt")
        try await vt.check("sessions", "send", "s", "echo 6 >a", "--enter", "--wait", "prompt")
        #expect(
            try await vt.check("snapshot", "list", "s", "--fields", "kind,turns")
                == "base\t[1]\nautomatic\t[4]\nautomatic\t[5,6]\n"
        )
        #expect(try await vt.check("diff", "s", "--turn", "4").contains("-3\n+4\n"))
        #expect(try await vt.check("diff", "s", "--turn", "5") == "")
        #expect(try await vt.check("diff", "s", "--turn", "-1").contains("-4\n+6\n"))
        #expect(try await vt.check("diff", "s").contains("-0\n+6\n"))
        let last = try await vt.check("snapshot", "list", "s", "--ids").split(separator: "\n").last
        try await vt.check("rollback", "s", String(try #require(last)), "--yes")
        #expect(read("a") == "4\n")
    }

    @Test func `without git, a command is run all the same`() async throws {
        try write("0\n", to: "a")
        let bin = "\(vt.home)/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        let path = ["PATH": bin]
        var create = vt.call(
            ["sessions", "create", "s", "--cwd", tree, "--auto-snapshot", "--", "/bin/bash"],
            environment: path
        )
        create.path = TestTree.vt
        let created = try await create.run()
        #expect(created.exit == 0 && created.errorText.contains("cannot run git"), "\(created.errorText)")
        let result = try await vt.run("sessions", "exec", "s", "echo run", environment: path)
        #expect(result.text == "run\n")
        #expect(result.errorText.contains("no snapshot was taken"), "\(result.errorText)")
        #expect(try await vt.run("snapshot", "create", "s", environment: path).exit == 66)
    }

    @Test func `snapshots of sessions on servers are on the server`() async throws {
        let lab = try await Lab()
        try lab.linkVt()
        let directory = "\(lab.server.home)/tree"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try "one\n".write(toFile: "\(directory)/a", atomically: true, encoding: .utf8)
        try await lab.vt.check("sessions", "create", "p:s", "--cwd", directory, "--auto-snapshot", "--", "bash")
        try await lab.vt.check("sessions", "wait", "p:s", "--prompt")
        try await lab.vt.check("snapshot", "create", "p:s", "--name", "start")
        try await lab.vt.check("sessions", "exec", "p:s", "echo two >a")
        #expect(try await lab.vt.check("diff", "p:s", "start").contains("-one\n+two\n"))
        try await lab.vt.check("rollback", "p:s", "start", "--yes")
        #expect(try String(contentsOfFile: "\(directory)/a", encoding: .utf8) == "one\n")
        #expect(
            try await lab.vt.check("snapshot", "list", "p:s", "--fields", "kind") == "base\nmanual\nautomatic\nsafety\n"
        )
        #expect(!FileManager.default.fileExists(atPath: "\(lab.vt.stateHome)/snapshots"))
    }

    @Test func `a rollback on a server whose connection is lost at any packet is finished by the same command`()
        async throws
    {
        let lab = try await Lab()
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("r", port: relay.port)
        try await lab.meet("r")
        try lab.linkVt()
        let directory = "\(lab.server.home)/tree"
        func contents() -> [String: String] {
            let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
            return names.reduce(into: [:]) {
                $0[$1] = try? String(contentsOfFile: "\(directory)/\($1)", encoding: .utf8)
            }
        }
        let (before, after) = (["a": "one", "d/b": "one"], ["a": "two", "new": "two"])
        func write(_ files: [String: String]) throws {
            for name in ["a", "d", "new"] { try? FileManager.default.removeItem(atPath: "\(directory)/\(name)") }
            try FileManager.default.createDirectory(atPath: "\(directory)/d", withIntermediateDirectories: true)
            for (name, text) in files {
                try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
            }
        }
        try write(before)
        try await lab.vt.check("sessions", "create", "r:s", "--cwd", directory, "--", "sleep", "inf")
        try await lab.vt.check("snapshot", "create", "r:s", "--name", "start")
        for count in 0... {
            try write(after)
            relay.cut(afterChunks: count)
            let words = ["rollback", "r:s", "start", "--yes", "--force"]
            _ = try await lab.vt.call(words).run()
            let isLast = relay.willCut
            relay.cancelCut()
            let again = try await lab.vt.call(words).run()
            #expect(again.exit == 0, "\(count): \(again.errorText)")
            #expect(contents() == before, "\(count)")
            if isLast { break }
        }
        let safety = try await lab.vt.check("snapshot", "list", "r:s", "--fields", "id,kind").split(separator: "\n")
            .first { $0.hasSuffix("safety") }
        let id = try #require(safety?.split(separator: "\t").first)
        try await lab.vt.check("rollback", "r:s", String(id), "--yes", "--force")
        #expect(contents() == after)
    }
}
