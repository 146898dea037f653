import Foundation
import TestSupport
import Testing

@Suite(.crowded)
struct ManyTargetTests {
    /// A lab with the additional profiles `a`, `b`, `c` and `down`; the port of `down` refuses connections.
    private func lab() async throws -> Lab {
        let lab = try await Lab()
        for name in ["a", "b", "c"] { try await lab.addProfile(name, ["--no-agent", "--tag", "abc"]) }
        try await lab.addProfile("down", port: LoopbackPort.free())
        try await lab.meet()
        return lab
    }

    @Test func `each line starts with its target`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "a,b,c", "echo one; echo two; echo err >&2")
        #expect(result.status == .exited(0))
        #expect(
            Set(result.text.split(separator: "\n")) == ["a: one", "a: two", "b: one", "b: two", "c: one", "c: two"]
        )
        for name in ["a", "b", "c"] { #expect(result.errorText.contains("\(name): err\n")) }
    }

    @Test func `lines are not split, however many arrive at once`() async throws {
        let line = String(repeating: "x", count: 3000)
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "a,b,c", "yes \(line) | head -500")
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 1500)
        #expect(Set(lines) == Set(["a", "b", "c"].map { "\($0): \(line)" }))
    }

    @Test func `exits with 1 if one target fails, and reports the failure`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "a,down,b", "[ -n \"$SSH_CONNECTION\" ]")
        #expect(result.status == .exited(1))
        #expect(result.errorText.contains("down"))
        #expect(result.errorText.contains("host.unreachable"))
    }

    @Test func `exits with 1 if the commands exit with another nonzero status`() async throws {
        let lab = try await lab()
        #expect(try await lab.vt.run("exec", "a,b", "exit 7").status == .exited(1))
    }

    @Test func `every target receives the complete input`() async throws {
        let input = Array("first\nsecond\n".utf8)
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "a,b", "cat", input: input)
        #expect(Set(result.text.split(separator: "\n")) == ["a: first", "a: second", "b: first", "b: second"])
    }

    @Test func `groups identical output`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "--gather", "a,b,c", "echo same; echo lines")
        #expect(result.status == .exited(0))
        #expect(result.text.components(separatedBy: "same\nlines\n").count == 2)
        for name in ["a", "b", "c"] { #expect(result.text.contains(name)) }
    }

    @Test func `groups large output with little memory`() async throws {
        let lab = try await lab()
        let count = 48 << 20
        // The command prints x on the first target that runs it, and y on the others.
        let command =
            "mkdir '\(lab.server.home)/first' 2>/dev/null && c=x || c=y; head -c \(count) /dev/zero | tr '\\0' $c"
        let client = try lab.vt.start("exec", "--gather", "a,b,c", command)
        client.input.close()
        // vt prints the first byte once it has received all output.
        let beginning = await client.output.read(atLeast: 1)
        #expect(try client.peakResidentBytes() < 86 << 20)
        let output = Data(beginning + (await client.output.readToEnd()))
        #expect(try await client.wait() == .exited(0))
        let expected = [("x", 1), ("y", 2)].map { letter, targets in
            #"--- [a-c](,[a-c])* \(\#(targets)\)\n"# + letter
        }
        var rest = output[...]
        for (pattern, letter) in zip(expected, "xy".utf8) {
            let header = String(decoding: rest.prefix(40), as: UTF8.self)
            let match = try #require(header.prefixMatch(of: try Regex(pattern)), "\(header)")
            rest = rest.dropFirst(header[match.range].utf8.count - 1)
            #expect(rest.prefix(count + 1) == Data(repeating: letter, count: count) + Data("\n".utf8))
            rest = rest.dropFirst(count + 1)
        }
        #expect(rest.isEmpty)
    }

    @Test func `several tags select the profiles that have all of them`() async throws {
        let lab = try await Lab.met()
        try await lab.addProfile("one", ["--no-agent", "--tag", "x"])
        try await lab.addProfile("both", ["--no-agent", "--tag", "x", "--tag", "y"])
        let result = try await lab.vt.run("exec", "--prefix", "--tag", "x", "--tag", "y", "echo hi")
        #expect(result.text == "both: hi\n")
        let none = try await lab.vt.run("exec", "--tag", "y", "--tag", "z", "true")
        #expect(none.errorText.contains("no profile is tagged 'y' and 'z'"))
    }

    @Test func `a tag selects targets`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "--tag", "abc", "echo x")
        #expect(Set(result.text.split(separator: "\n")) == ["a: x", "b: x", "c: x"])
    }

    @Test func `--all selects every profile`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run("exec", "--all", "echo x")
        #expect(result.status == .exited(1))
        #expect(Set(result.text.split(separator: "\n")) == ["a: x", "b: x", "c: x", "p: x"])
    }

    @Test func `--fail-fast skips the remaining targets after the first failure`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run(
            "exec",
            "--fail-fast",
            "--parallel",
            "1",
            "down,a,b",
            "touch \(lab.server.home)/ran"
        )
        #expect(result.status == .exited(1))
        #expect(!FileManager.default.fileExists(atPath: "\(lab.server.home)/ran"))
    }

    @Test func `--fail-fast distinguishes targets where the command runs, and reports each target once`() async throws {
        let lab = try await lab()
        // On this machine, the command fails once it runs on the first target; the third target is not reached.
        let line =
            "if [ -n \"$SSH_CONNECTION\" ]; then echo on >\(lab.server.home)/on; echo up; exec sleep 1000; fi; "
            + "until [ -s \(lab.server.home)/on ]; do sleep 0.02; done; exit 1"
        let options = ["exec", "--fail-fast", "--parallel", "2", "a,local,b"]
        let result = try await lab.vt.call(["--json"] + options + [line]).run()
        #expect(result.status == .exited(1))
        let ends = try result.jsonLines().filter { $0["event"] as? String != "stdout" }
        let kinds = ends.map { "\($0["target"] ?? "") \($0["event"] ?? "")" }
        #expect(kinds == ["local exit", "a aborted", "b skipped"])
        try FileManager.default.removeItem(atPath: "\(lab.server.home)/on")
        let text = try await lab.vt.call(options + [line]).run()
        #expect(
            text.errorText == """
                vt: a: aborted
                vt: local: exit 1
                vt: b: not run
                vt: 1 of 3 targets failed, 1 aborted, 1 not run

                """
        )
    }

    @Test func `events report output, errors and the exit of every target`() async throws {
        let lab = try await lab()
        let result = try await lab.vt.run(
            "--json",
            "exec",
            "a,b,down",
            #"printf 'out\377'; echo err >&2; kill -TERM $$"#
        )
        #expect(result.status == .exited(1))
        let events = try result.jsonLines()
        for name in ["a", "b"] {
            let own = events.filter { $0["target"] as? String == name }
            let exit = try #require(own.last?["exit"] as? [String: any Sendable])
            #expect(exit["signal"] as? String == "TERM")
            #expect(own.contains { $0["event"] as? String == "stderr" && $0["text"] as? String == "err\n" })
            #expect(own.contains { $0["event"] as? String == "stdout" && $0["base64"] as? String == "b3V0/w==" })
        }
        let down = try #require(events.last { $0["target"] as? String == "down" })
        let error = try #require(down["error"] as? [String: any Sendable])
        #expect(error["code"] as? String == "host.unreachable")
    }

    @Test func `a single target also produces events`() async throws {
        let lab = try await Lab()
        let result = try await lab.vt.run("--json", "exec", "p", "echo out; exit 42")
        #expect(result.status == .exited(42))
        let last = try #require(try result.jsonLines().last)
        #expect((last["exit"] as? [String: any Sendable])?["code"] as? Int == 42)
    }

    @Test func `distinguishes servers with the same host name`() async throws {
        let first = try await Lab()
        let second = try await Lab()
        let names = [first, second].map { "\($0.server.user)@127.0.0.1:\($0.server.port)" }
        let words = ["exec", "--gather", "--identity", first.server.userKeys.path(.ed25519)]
        let result = try await first.vt.call(words + [names.joined(separator: ","), "echo $SSH_CONNECTION"]).run()
        #expect(result.status == .exited(0), "\(result.errorText)")
        for (lab, name) in zip([first, second], names) {
            #expect(result.text.contains("--- \(name) (1)\n127.0.0.1 "))
            #expect(result.text.contains(" 127.0.0.1 \(lab.server.port)\n"))
        }
    }

    @Test(arguments: ["--gather", "--json", "--prefix"])
    func `a target that is named twice runs once`(_ format: String) async throws {
        let lab = try await Lab()
        let server = "\(lab.server.user)@127.0.0.1:\(lab.server.port)"
        let words = ["exec", format, "--identity", lab.server.userKeys.path(.ed25519)]
        let targets = "p,local,\(server),p,local,\(server)"
        let result = try await lab.vt.call(words + [targets, "echo run >>\(lab.server.home)/runs; echo ran"]).run()
        #expect(result.status == .exited(0), "\(result.errorText)")
        let runs = try String(contentsOfFile: "\(lab.server.home)/runs", encoding: .utf8)
        #expect(runs == "run\nrun\nrun\n")
    }

    @Test func `a hundred simultaneous targets all respond`() async throws {
        let lab = try await Lab.met()
        let targets = (1...100).map { "t\($0)" }
        let key = lab.server.userKeys.path(.ed25519)
        let configuration = targets.map {
            "Host \($0)\nHostName 127.0.0.1\nPort \(lab.server.port)\nUser \(lab.server.user)\nIdentityFile \(key)\n"
        }
        let file = try lab.vt.writeElsewhere(configuration.joined(), to: "config")
        try await lab.vt.check("profile", "import", file)
        let result = try await lab.vt.run("exec", targets.joined(separator: ","), "echo x")
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(Set(result.text.split(separator: "\n").map(String.init)) == Set(targets.map { "\($0): x" }))
    }

    @Test(arguments: ["3:30:6", "1:100:1"])
    func `retries servers that drop some new connections, and counts them`(_ limit: String) async throws {
        let server = try await OpenSSHServer(.init(lines: ["MaxStartups \(limit)"]))
        let vt = try Vt()
        let key = server.userKeys.path(.ed25519)
        let names = (1...24).map { "t\($0)" }
        for name in names {
            let address = "\(server.user)@127.0.0.1:\(server.port)"
            try await vt.check("profile", "add", name, address, "--identity", key, "--no-agent")
        }
        try await vt.check("exec", "t1", "true")
        let call = vt.call(["exec", names.joined(separator: ","), "echo x"])
        let result = try await call.run()
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.text.split(separator: "\n").count == names.count)
        #expect(result.errorText.contains(/retried [0-9]+ connections/), "\(result.errorText)")
    }
}
