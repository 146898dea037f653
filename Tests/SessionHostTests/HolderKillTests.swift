import Core
import Foundation
import SessionHost
import TestSupport
import Testing

struct HolderKillTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    /// Processes that leave their process group and session or lose their parent; some of them ignore HUP and TERM.
    private static let family = """
        (setsid sleep 61 &); setsid sh -c 'trap "" HUP TERM; (setsid sleep 62 &); while :; do sleep 1; done' &
        sleep 63 & echo ready; wait
        """

    @Test func `killing leaves no process of the session`() async throws {
        let record = try await lab.create("x", Self.family)
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach(from: 0)
        try client.send(.kill(signal: 0, graceMilliseconds: 200))
        #expect(try await client.nextAnswer() == .killed(survivors: []))
        guard case .exit = try await client.nextAnswer() else {
            Issue.record("no exit frame")
            return
        }
        #expect(lab.processes(markedBy: record).isEmpty)
    }

    @Test func `a single signal reaches the program`() async throws {
        let record = try await lab.create("x", "trap 'echo interrupted; exit 9' INT; echo ready; sleep 1000 & wait")
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.kill(signal: UInt8(SIGINT), graceMilliseconds: 0))
        #expect(try await client.next() == .killed(survivors: []))
        #expect(try await lab.end(of: record).exit == .exited(9))
    }

    @Test func `output continues while a session is being killed`() async throws {
        let line = "trap '' HUP; trap 'seq 1 100000; echo done; exit' TERM; echo ready; while :; do sleep 0.01; done"
        let record = try await lab.create("x", line)
        #expect(try await lab.output(of: record, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.kill(signal: 0, graceMilliseconds: 20_000))
        _ = try await client.next()
        _ = try await lab.end(of: record)
        #expect(try lab.text(of: record).hasSuffix("100000\r\ndone\r\n"))
    }

    @Test func `a nested session outlives the outer one`() async throws {
        let inner = HolderLab.innerCreation(of: "inner", in: lab)
        let outer = try await lab.create("outer", "\(inner); echo ready; sleep 1000")
        #expect(try await lab.output(of: outer, holds: "ready"))
        let client = try await HolderClientConnection(lab.files(outer))
        try client.send(.kill(signal: 0, graceMilliseconds: 200))
        #expect(try await client.next() == .killed(survivors: []))
        let record = try lab.host.session("inner")
        #expect(record.state == .running)
    }

    @Test func `a client kills a stopped holder and all its processes`() async throws {
        let record = try await lab.create("x", Self.family)
        #expect(try await lab.output(of: record, holds: "ready"))
        kill(try #require(record.holder?.processID), SIGSTOP)
        let survivors = try await lab.host.killWithoutHolder(
            record.id,
            signal: nil,
            grace: .milliseconds(200),
            keepsPause: false
        )
        #expect(survivors.isEmpty)
        #expect(await eventually { (try? lab.host.session("x").state) == .lost })
        #expect(lab.processes(markedBy: record).isEmpty)
    }

    @Test func `the processes of a session without a holder are also killed`() async throws {
        let record = try await lab.create("x", "trap '' HUP; \(Self.family)")
        #expect(try await lab.output(of: record, holds: "ready"))
        kill(try #require(record.holder?.processID), SIGKILL)
        #expect(await eventually { (try? lab.host.session("x").state) == .lost })
        _ = try await lab.host.killWithoutHolder(record.id, signal: nil, grace: .milliseconds(200), keepsPause: false)
        #expect(await eventually { lab.processes(markedBy: record).isEmpty })
    }

    @Test func `a holder that receives TERM ends its session`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        kill(try #require(record.holder?.processID), SIGTERM)
        let ended = try await lab.end(of: record)
        #expect(ended.state == .exited)
        #expect(ended.exit?.shellStatus == 128 + UInt8(SIGHUP) || ended.exit?.shellStatus == 128 + UInt8(SIGTERM))
    }
}

extension HolderLab {
    /// A line of sh that creates another session in the lab's directory.
    fileprivate static func innerCreation(of name: String, in lab: HolderLab) -> String {
        "VT_HOME='\(lab.scratch.path)' HOME=/nonexistent '\(TestTree.vt)' sessions create \(name) -- sleep 1000"
    }
}
