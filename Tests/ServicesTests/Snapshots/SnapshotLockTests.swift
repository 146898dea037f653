import Core
import CoreTestSupport
import Foundation
import Services
import System
import TestSupport
import Testing

/// Several processes that work on the snapshots of one tree, and programs that write to it.
struct SnapshotLockTests {
    private let vt: Vt
    private let tree: String

    init() throws {
        vt = try Vt()
        tree = "\(vt.home)/tree"
        try FileManager.default.createDirectory(atPath: tree, withIntermediateDirectories: true)
    }

    @Test func `concurrent snapshots of a tree are taken one after the other`() async throws {
        try "1".write(toFile: "\(tree)/a", atomically: true, encoding: .utf8)
        for name in ["s", "t"] { try await vt.check("sessions", "create", name, "--cwd", tree, "--", "sleep", "inf") }
        let runs = try ["s", "t", "s", "t", "s"].map { try vt.start("snapshot", "create", $0) }
        for run in runs { #expect(try await run.wait() == .exited(0)) }
        let numbers = try await vt.check("snapshot", "list", "t", "--fields", "number")
        #expect(numbers == "1\n2\n3\n4\n5\n")
    }

    /// The lock is free as soon as its holder has been killed.
    @Test func `a killed snapshot holds nothing up`() async throws {
        try await vt.check("sessions", "create", "s", "--cwd", tree, "--", "sleep", "inf")
        let fault = Fault.snapshotListed.rawValue
        let first = try vt.start("snapshot", "create", "s", environment: ["VT_FAULT": "stop:\(fault)"])
        #expect(
            await eventually {
                let status = try? String(contentsOfFile: "/proc/\(first.pid)/status", encoding: .utf8)
                return status?.contains("State:\tT") == true
            }
        )
        let second = try vt.start("snapshot", "create", "s")
        first.signal(SIGKILL)
        #expect(try await second.wait() == .exited(0))
    }

    @Test func `a file that keeps changing is not saved half-written`() async throws {
        let lab = try await TreeLab()
        try lab.write("x", to: "log")
        let writer = try ProgramCall("/bin/sh", ["-c", "while :; do echo line >>\(lab.tree)/log; done"]).start()
        let error = try await failure { while true { _ = try await lab.snapshot() } }
        writer.signal(SIGKILL)
        #expect((error.code, error.message) == (.busy, "'log' changed each time it was read"))
        #expect(try await lab.snapshot().fileCount == 3)
    }
}
