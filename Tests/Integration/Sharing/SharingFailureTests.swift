import Foundation
import TestSupport
import Testing

/// What happens to commands when the mux server, the server, the link or the files of a shared connection change.
@Suite(.crowded)
struct SharingFailureTests {
    @Test func `a killed mux server is replaced`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        let muxServer = try #require(try await lab.muxServers().first)
        kill(muxServer.pid, SIGKILL)
        #expect(try await lab.exec("echo next").text == "next\n")
        #expect(try await lab.muxServers().first?.pid != muxServer.pid)
    }

    @Test func `a mux server killed while a program runs ends the command with status 255`() async throws {
        let lab = try await SharedLab()
        let running = try lab.start("exec", "s", "echo up; exec sleep 1000")
        try await running.output.read(until: "up\n")
        let muxServer = try #require(try await lab.muxServers().first)
        kill(muxServer.pid, SIGKILL)
        #expect(try await running.wait() == .exited(255))
        let errors = String(decoding: await running.errors.readToEnd(), as: UTF8.self)
        #expect(errors.contains("lost the shared connection to 's' (host.unreachable)"))
    }

    @Test func `a stopped mux server is replaced within seconds`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        let muxServer = try #require(try await lab.muxServers().first)
        kill(muxServer.pid, SIGSTOP)
        let next = try await lab.exec("echo next")
        #expect(next.text == "next\n")
        #expect(next.duration < .seconds(10))
        let after = try await lab.exec("echo after")
        #expect(after.text == "after\n")
        #expect(after.duration < next.duration)
        kill(muxServer.pid, SIGCONT)
    }

    @Test func `a connection whose server process has stopped is replaced`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        let sessions = lab.server.processes.filter { ProcessTable.command($0).contains("@notty") }
        try #require(!sessions.isEmpty)
        // Longer than twenty times the time in which this server answers.
        #expect(try await eventually { try await lab.muxServers().first?.idleMilliseconds ?? 0 >= 2000 })
        for process in sessions { kill(process, SIGSTOP) }
        let next = try await lab.exec("echo next")
        #expect(next.text == "next\n", "\(next.errorText)")
        #expect(next.duration < .seconds(10))
        #expect(lab.relay.connectionCount == 3)
        for process in sessions { kill(process, SIGKILL) }
    }

    @Test func `a mux server stopped while a program runs ends the command`() async throws {
        let lab = try await SharedLab()
        let running = try lab.start("exec", "s", "echo up; exec sleep 1000")
        try await running.output.read(until: "up\n")
        let muxServer = try #require(try await lab.muxServers().first)
        kill(muxServer.pid, SIGSTOP)
        #expect(try await running.wait(deadline: .seconds(40)) == .exited(255))
        let errors = String(decoding: await running.errors.readToEnd(), as: UTF8.self)
        #expect(errors.contains("does not respond"))
        kill(muxServer.pid, SIGKILL)
    }

    @Test func `a cut link is replaced, and so is a silent one`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        lab.relay.cut()
        #expect(try await lab.exec("echo next").text == "next\n")
        #expect(lab.relay.connectionCount == 3)
    }

    @Test func `a server that vanishes fails the next command with host.unreachable`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        lab.server.stop()
        lab.relay.cut()
        let next = try await lab.exec("echo next")
        #expect(next.status == .exited(255))
        #expect(next.errorText.contains("(host.unreachable)"))
    }

    @Test func `a changed profile, a changed key and a forgotten host key close the connection`() async throws {
        let lab = try await SharedLab()
        for change in Change.allCases {
            #expect(try await lab.exec("true").status == .exited(0))
            let muxServer = try #require(try await lab.muxServers().first, "\(change)")
            try await change.make(in: lab)
            #expect(try await lab.muxServers().allSatisfy { $0.pid != muxServer.pid }, "\(change)")
            #expect(try await lab.exec("echo next").text == "next\n", "\(change)")
        }
    }

    private enum Change: CaseIterable {
        case note, identity, hostKey

        func make(in lab: SharedLab) async throws {
            switch self {
            case .note: try await lab.vt.check("profile", "edit", "s", "--note", "changed")
            case .identity:
                try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: lab.identity)
            case .hostKey: try await lab.vt.check("host", "forget", "127.0.0.1:\(lab.relay.port)")
            }
        }
    }

    @Test func `a changed host key is reported after the connection was lost`() async throws {
        let lab = try await SharedLab()
        #expect(try await lab.exec("true").status == .exited(0))
        let other = try await OpenSSHServer()
        lab.relay.redirect(to: other.port)
        lab.relay.cut()
        let next = try await lab.exec("echo next")
        #expect(next.status == .exited(255))
        #expect(next.errorText.contains("host-key.changed"))
    }

    @Test func `never runs a command twice when mux servers are killed and stopped at random`() async throws {
        let lab = try await SharedLab()
        let counter = "\(lab.server.home)/count"
        var random = SeededGenerator(seed: 7)
        var statuses: [Int: Int32] = [:]
        func lines() throws -> [Int] {
            guard FileManager.default.fileExists(atPath: counter) else { return [] }
            return try String(contentsOfFile: counter, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        }
        for round in 0..<60 {
            let running = try lab.start("exec", "s", "echo \(round) >>\(counter); sleep 0.0\(random.next() % 4)")
            let stage = random.next() % 4
            _ = try await eventually {
                switch stage {
                case 0: true
                case 1: lab.vt.muxServers.first != nil || !running.isRunning
                case 2: try lines().last == round || !running.isRunning
                default: !running.isRunning
                }
            }
            if let muxServer = lab.vt.muxServers.first {
                kill(muxServer, round % 3 == 0 ? SIGSTOP : SIGKILL)
            }
            if case .exited(let status) = try await running.wait(deadline: .seconds(40)) { statuses[round] = status }
        }
        let executed = try lines()
        #expect(Set(executed).count == executed.count)
        for (round, status) in statuses where status == 0 { #expect(executed.contains(round)) }
        #expect(statuses.values.allSatisfy { $0 == 0 || $0 == 255 })
    }
}
