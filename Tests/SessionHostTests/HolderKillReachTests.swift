import Core
import Foundation
import System
import TestSupport
import Testing
@testable import SessionHost

/// Which processes a kill reaches, and when the kill ends.
struct HolderKillReachTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    private func kill(_ record: Session, graceMilliseconds: UInt32 = 200) async throws -> SessionFrame {
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.kill(signal: 0, graceMilliseconds: graceMilliseconds))
        return try await client.next()
    }

    @Test func `a kill that is resumed late still sends KILL`() async throws {
        let pair = try DescriptorPair.pipe()
        let plan = SpawnPlan(
            arguments: ["/bin/sh", "-c", "trap '' HUP TERM; echo ready; exec sleep 1000"],
            environment: ["PATH=/usr/bin:/bin"]
        )
        let end = pair.second.number
        let child = try ChildProcess.spawn(plan, on: .descriptors(input: end, output: end, errorOutput: end))
        #expect(try BlockingIO.read(pair.first.number, limit: 6).count == 6)
        let start = HolderClock.now()
        var run = KillRun(SessionProcesses(leader: child.processID), graceMilliseconds: 100, now: start)
        #expect(run.step(now: start + 3_600_000_000) == nil)
        #expect(try await child.wait() == .signalled(SignalName("KILL"), coreDumped: false))
    }

    @Test func `processes that keep replacing themselves do not escape`() async throws {
        let line = """
            trap '' HUP TERM; f() { [ -e '\(lab.scratch.path("stop"))' ] || f & }
            f; f; f; echo ready; sleep 1000
            """
        // Any process that survives the kill exits once this file exists.
        defer { _ = try? lab.scratch.write("", to: "stop") }
        let record = try await lab.create("storm", line)
        #expect(try await lab.output(of: record, holds: "ready"))
        #expect(try await kill(record, graceMilliseconds: 0) == .killed(survivors: []))
        #expect(lab.processes(markedBy: record).isEmpty)
    }

    @Test func `a program with the environment variable of a holder is killed`() async throws {
        let record = try await lab.create("x", "VT_HOLDER=\(SessionID.random().text) sleep 1000 & echo ready; wait")
        #expect(try await lab.output(of: record, holds: "ready"))
        #expect(try await kill(record) == .killed(survivors: []))
        #expect(lab.processes(markedBy: record).isEmpty)
    }

    @Test func `a program with the arguments of a holder is killed`() async throws {
        let record = try await lab.create("x", "bash -c 'exec -a vt sleep 1000' hold & echo ready; wait")
        #expect(try await lab.output(of: record, holds: "ready"))
        #expect(try await kill(record) == .killed(survivors: []))
        #expect(lab.processes(markedBy: record).isEmpty)
    }

    @Test func `a single signal reaches the same processes as a kill`() async throws {
        let far = "trap 'echo far; exit' USR1; echo up; while :; do sleep 0.05; done"
        let record = try await lab.create(
            "x",
            "trap 'echo near' USR1; setsid sh -c \"\(far)\" & wait; wait; sleep 1000"
        )
        #expect(try await lab.output(of: record, holds: "up"))
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.kill(signal: UInt8(SIGUSR1), graceMilliseconds: 0))
        #expect(try await client.next() == .killed(survivors: []))
        #expect(try await lab.output(of: record, holds: "far"))
        #expect(try await lab.output(of: record, holds: "near"))
    }

    @Test func `other signals do not end a holder, and its program has the default actions`() async throws {
        let record = try await lab.create("x", "grep -E 'Sig(Blk|Ign)' /proc/self/status; sleep 1000")
        #expect(try await lab.output(of: record, holds: "SigIgn"))
        let holder = try #require(record.holder?.processID)
        let signals = [
            SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU, SIGXFSZ,
            SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, 34, 50, 64,
        ]
        for signal in signals { Glibc.kill(holder, signal) }
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.status)
        guard case .record = try await client.next() else {
            Issue.record("no record")
            return
        }
        // The C library reserves signals 32 and 33 (signal(7)), so their actions are inherited from the test runner.
        let reserved: UInt64 = 3 << 31
        let sets = try lab.text(of: record).split(whereSeparator: \.isNewline).map { line in
            UInt64(line.suffix(16), radix: 16).map { $0 & ~reserved }
        }
        #expect(sets == [0, 0])
    }
}
