import Foundation
import TestSupport
import Testing

/// Signals that end vt, which must leave no processes, and waiting for a FIFO.
@Suite(.crowded, .sharing)
struct StoppingTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends vt and leaves none of its processes`(_ number: Int32) async throws {
        let lab = try await Lab()
        let running = try lab.vt.start("exec", "p", "echo in; exec sleep 1000")
        try await running.output.read(until: "in\n")
        running.signal(number)
        let status = try await running.wait(deadline: .seconds(20))
        #expect([.exited(128 + number), .signalled(number)].contains(status))
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal while connecting ends vt`(_ number: Int32) async throws {
        let server = try FaultServer([.send("SSH-2.0-Fault_1\r\n"), .hold])
        let vt = try Vt()
        let running = try vt.start("exec", "x@127.0.0.1:\(server.port)", "true")
        #expect(await eventually { server.connectionCount == 1 })
        running.signal(number)
        let status = try await running.wait(deadline: .seconds(20))
        #expect([.exited(128 + number), .signalled(number)].contains(status))
    }

    @Test func `a signal ends the proxy command`() async throws {
        let lab = try await Lab(sharesConnections: false)
        let marker = "\(lab.vt.home)/proxy-runs"
        try await lab.addProfile("x", ["--no-agent", "--proxy-command", "sh -c 'touch \(marker); sleep 1000; true'"])
        let running = try lab.vt.start("exec", "x", "true")
        #expect(await eventually { FileManager.default.fileExists(atPath: marker) })
        running.signal(SIGTERM)
        _ = try await running.wait(deadline: .seconds(20))
        #expect(await eventually { lab.vt.processes.isEmpty })
    }

    @Test func `two simultaneous signals leave no process`() async throws {
        let vt = try Vt()
        // The command ignores both signals, so it must be killed.
        let running = try vt.start("exec", "local", "trap '' HUP INT TERM; echo in; while :; do sleep 1; done")
        try await running.output.read(until: "in\n")
        running.signal(SIGTERM)
        running.signal(SIGINT)
        _ = try await running.wait(deadline: .seconds(20))
        #expect(await eventually { vt.processes.isEmpty })
    }

    @Test func `a signal ends a local command`() async throws {
        let vt = try Vt()
        let running = try vt.start("exec", "local", "echo in; sleep 1000")
        try await running.output.read(until: "in\n")
        running.signal(SIGTERM)
        _ = try await running.wait(deadline: .seconds(20))
        #expect(await eventually { vt.processes.isEmpty })
    }

    @Test func `waiting for the writer of a FIFO can time out, and a later writer's data is read`() async throws {
        let vt = try Vt()
        let fifo = "\(vt.home)/input"
        #expect(mkfifo(fifo, 0o600) == 0)
        let late = try await vt.run("exec", "local", "--timeout", "100ms", "--stdin", fifo, "cat")
        #expect(late.status == .exited(124))
        let running = try vt.start("exec", "local", "--stdin", fifo, "cat")
        let writer = try await vt.bash("printf 'one\ntwo' >'\(fifo)'", deadline: .seconds(20))
        #expect(writer.status == .exited(0))
        #expect(try await running.wait(deadline: .seconds(20)) == .exited(0))
        #expect(await running.output.readToEnd() == Array("one\ntwo".utf8))
    }
}
