import Foundation
import TestSupport
import Testing

/// Commands that share one connection to a profile's server.
@Suite(.crowded)
struct SharingTests {
    @Test func `uses one connection for many commands, with exact statuses and bytes`() async throws {
        let lab = try await SharedLab()
        for status in 0..<20 {
            let result = try await lab.exec("echo out \(status); echo err \(status) >&2; exit \(status)")
            #expect(result.status == .exited(Int32(status)))
            #expect(result.text == "out \(status)\n")
            #expect(result.errorText == "err \(status)\n")
        }
        #expect(lab.relay.connectionCount == 2)
        #expect(try await lab.muxServers().count == 1)
    }

    @Test func `runs many commands at once, each with its own status and bytes`() async throws {
        let lab = try await SharedLab()
        for round in 0..<3 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let result = try await lab.exec("cat; exit \(number)", input: Array("\(round) \(number)".utf8))
                        #expect(result.status == .exited(Int32(number)))
                        #expect(result.text == "\(round) \(number)")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func `opens further connections if the server limits the channels of one`() async throws {
        var options = OpenSSHServer.Options()
        options.lines = ["MaxSessions 2"]
        let lab = try await SharedLab(options)
        let running = try (0..<5).map { _ in try lab.start("exec", "s", "echo up; read line; echo $line") }
        for program in running { try await program.output.read(until: "up\n") }
        #expect(try await lab.muxServers().map(\.uses).reduce(0, +) == 5)
        #expect(try await lab.muxServers().count == 3)
        for program in running {
            try program.input.write("word\n")
            #expect(try await program.wait() == .exited(0))
        }
    }

    @Test func `completes file names only over a connection that is already shared`() async throws {
        let lab = try await SharedLab()
        let home = lab.server.home
        for name in ["names/log/x", "names/lost file", "names/other", "names/.hidden"] {
            let path = "\(home)/\(name)"
            let directory = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: path))
        }
        func complete(_ word: String) async throws -> [String] {
            let words = ["complete", "files", "--", word]
            let result = try await lab.vt.call(words, environment: SharedLab.sharing).run()
            #expect(result.status == .exited(0) && result.errorText == "")
            return result.text.split(separator: "\n").map(String.init)
        }
        #expect(try await complete("s:\(home)/names/lo") == [])
        #expect(lab.relay.connectionCount == 1)
        #expect(try await lab.exec("true").exit == 0)
        #expect(try await complete("s:\(home)/names/lo") == ["log/", "lost file"].map { "s:\(home)/names/\($0)" })
        #expect(try await complete("s:\(home)/names/.") == ["s:\(home)/names/.hidden"])
        #expect(try await complete("s:\(home)/none/") == [])
        #expect(try await complete("s") == ["s:"])
        #expect(lab.relay.connectionCount == 2)
        // A password manager could prompt.
        try await lab.vt.check("profile", "edit", "s", "--password-command", "touch \(home)/asked")
        #expect(try await complete("s:\(home)/names/lo") == [])
        #expect(!FileManager.default.fileExists(atPath: "\(home)/asked"))
    }

    @Test func `shares a connection through a jump host`() async throws {
        let lab = try await SharedLab()
        let address = "\(lab.server.user)@127.0.0.1:\(lab.server.port)"
        try await lab.vt.check(
            "profile",
            "add",
            "far",
            address,
            "--no-agent",
            "--identity",
            lab.identity,
            "--jump",
            "s"
        )
        for status in 0..<5 {
            let result = try await lab.start("exec", "far", "exit \(status)").wait()
            #expect(result == .exited(Int32(status)))
        }
        #expect(lab.relay.connectionCount == 2)
        #expect(try await lab.muxServers().count == 1)
    }

    @Test func `is binary safe and ends input and output independently`() async throws {
        let lab = try await SharedLab()
        let bytes = noise(3_000_000)
        let echoed = try await lab.exec("cat", input: bytes)
        #expect(echoed.output == bytes)
        let counted = try await lab.exec("wc -c; echo done >&2", input: bytes)
        #expect(counted.text.trimmingCharacters(in: .whitespaces) == "3000000\n")
        #expect(counted.errorText == "done\n")
        let unread = try await lab.exec("exec <&-; sleep 0.2; echo ok", input: bytes)
        #expect(unread.text == "ok\n")
        let killed = try await lab.exec("kill -9 $$")
        #expect(killed.status == .exited(137))
    }

    @Test func `a slow reader does not fill memory, nor does it delay other commands`() async throws {
        let lab = try await SharedLab()
        let slow = try lab.start("exec", "s", "head -c 200000000 /dev/zero")
        _ = await slow.output.read(atLeast: 1)
        for _ in 0..<10 { #expect(try await lab.exec("echo quick").text == "quick\n") }
        let muxServer = try #require(try await lab.muxServers().first)
        #expect(try ProcessTable.peakResidentBytes(of: muxServer.pid) < 36 << 20)
        slow.kill()
    }

    @Test func `a command that ends early stops its program`() async throws {
        let lab = try await SharedLab()
        let running = try lab.start("exec", "s", "--pty", "echo $$; exec sleep 1000")
        let line = try await running.output.read(until: "\n")
        let pid = try #require(pid_t(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        running.kill()
        #expect(await eventually { kill(pid, 0) != 0 })
        #expect(try await lab.exec("echo after").text == "after\n")
    }

    @Test func `the mux server holds no descriptor, directory or variable of its creator`() async throws {
        let lab = try await SharedLab()
        let result = try await lab.vt.bash(
            "cd /tmp; exec 7</dev/zero; SECRET=word VT_SHARE=60s vt exec s true",
            deadline: .seconds(30)
        )
        #expect(result.status == .exited(0))
        let pid = try #require(try await lab.muxServers().first).pid
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd") == "/")
        let environment = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
        #expect(!environment.contains("SECRET"))
        let targets = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)")
        }
        #expect(targets.filter { !$0.hasPrefix("socket:") && !$0.hasPrefix("anon_inode:") && $0 != "/dev/null" } == [])
        #expect(getsid(pid) == pid)
    }

    @Test func `does not share a connection that was authenticated with given secrets or options`() async throws {
        let lab = try await SharedLab()
        let home = ["VT_SHARE": "60s", "PW": "wrong"]
        _ = try await lab.vt.run("exec", "s", "--password-env", "PW", "true", environment: home)
        #expect(try await lab.muxServers().isEmpty)
        _ = try await lab.vt.run("exec", "s", "--no-share", "true", environment: home)
        #expect(try await lab.muxServers().isEmpty)
        _ = try await lab.vt.run("exec", "s", "true", environment: ["VT_SHARE": "off"])
        #expect(try await lab.muxServers().isEmpty)
        _ = try await lab.vt.run("profile", "test", "s", environment: home)
        #expect(try await lab.muxServers().isEmpty)
        let denied = try await lab.vt.run("exec", "s", "--user", "nobody-here", "true", environment: home)
        #expect(denied.status == .exited(255))
        #expect(denied.errorText.contains("authentication failed") || denied.errorText.contains("rejected user"))
        #expect(try await lab.muxServers().isEmpty)
    }

    @Test func `rejects an invalid VT_SHARE`() async throws {
        let lab = try await SharedLab()
        let result = try await lab.vt.run("exec", "s", "true", environment: ["VT_SHARE": "soon"])
        #expect(result.errorText.contains("invalid value 'soon' for VT_SHARE"))
        #expect(result.status == .exited(255) || result.status == .exited(64))
    }

    @Test func `closes an unused connection after the time set in the profile`() async throws {
        let lab = try await SharedLab()
        try await lab.vt.check("profile", "edit", "s", "--share", "3s")
        #expect(try await lab.vt.run("exec", "s", "true", environment: ["VT_SHARE": ""]).status == .exited(0))
        let muxServer = try #require(try await lab.muxServers().first)
        #expect(muxServer.shareMilliseconds == 3000)
        #expect(await eventually { kill(muxServer.pid, 0) != 0 })
        #expect(try await lab.muxServers().isEmpty)
        try await lab.vt.check("profile", "edit", "s", "--share", "off")
        #expect(try await lab.vt.run("exec", "s", "true", environment: ["VT_SHARE": ""]).status == .exited(0))
        #expect(try await lab.muxServers().isEmpty)
    }

    @Test func `lists and closes connections`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        let table = try await lab.vt.check("profile", "connections")
        #expect(table.contains("idle for "))
        let running = try lab.start("exec", "s", "echo up; read line; echo $line")
        try await running.output.read(until: "up\n")
        #expect(try await lab.muxServers().first?.uses == 1)
        try await lab.vt.check("profile", "connections", "--close", "s")
        #expect(try await lab.exec("echo other").text == "other\n")
        try running.input.write("still\n")
        #expect(try await running.wait() == .exited(0))
        #expect(String(decoding: await running.output.readToEnd(), as: UTF8.self) == "still\n")
        try await lab.vt.check("profile", "connections", "--close")
        #expect(await eventually { lab.vt.muxServers.isEmpty })
        let missing = try await lab.vt.run("profile", "connections", "nothing")
        #expect(missing.status == .exited(66))
    }
}
