import Core
import Foundation
import SessionHost
import System
import TestSupport
import Testing

/// Starts that fail while the program may already be running.
struct FailedStartTests {
    private let lab: HolderLab
    /// The file that the program creates once it has started all its processes.
    private let ready: String

    init() throws {
        lab = try HolderLab()
        ready = lab.scratch.path("ready")
    }

    /// Creates a session whose program ignores HUP and TERM and starts other processes; the holder stops at this point.
    private func start(stoppingAt fault: Fault) throws -> RunningProgram {
        let script = "trap '' HUP TERM; sleep 1000 & (setsid sleep 1000 &) ; >\(ready); while :; do sleep 1000; done"
        return try lab.creation(["x", "--", "sh", "-c", script], fault: "stop:\(fault.rawValue)").start()
    }

    /// Waits until the holder has stopped, and the program has started all its processes if it can run already.
    private func stoppedHolder(runs isRunning: Bool) async throws -> pid_t {
        var holder: pid_t?
        let isStopped = await eventually {
            holder = stoppedHolders().first
            return holder != nil && (!isRunning || FileManager.default.fileExists(atPath: ready))
        }
        try #require(isStopped)
        return try #require(holder)
    }

    /// The stopped holders of the sessions in the directory of this test.
    private func stoppedHolders() -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: lab.directory.path)) ?? []
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { pid_t($0) }.filter { process in
            let words = ProcessTable.command(process).split(separator: " ")
            guard words.count == 3, words[1] == "hold", names.contains(String(words[2])) else { return false }
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return status?.contains(") T ") ?? false
        }
    }

    @Test(arguments: [Fault.holdForked, .holdNoted, .holdProgram, .holdRunning])
    func `nothing of the program survives if the holder is killed during the start`(_ fault: Fault) async throws {
        let create = try start(stoppingAt: fault)
        let isRunning = fault == .holdProgram || fault == .holdRunning
        let holder = try await stoppedHolder(runs: isRunning)
        let processes = ProcessTable.processes(group: holder).filter { $0 != holder }
        defer { for process in processes { kill(process, SIGKILL) } }
        #expect(isRunning ? processes.count >= 4 : processes.count == 1)
        kill(holder, SIGKILL)
        let errors = String(decoding: await create.errors.readToEnd(), as: UTF8.self)
        #expect(try await create.wait() == .exited(71))
        #expect(errors.contains("cannot start session 'x': its holder exited before the session started"))
        #expect(errors.contains("; the program may have run until it was killed") == (fault != .holdForked))
        // A program that is not recorded exits on its own before it is executed.
        let isGone = await eventually { processes.allSatisfy { ProcessTable.command($0).isEmpty } }
        #expect(isGone)
        #expect(FileManager.default.fileExists(atPath: ready) == isRunning)
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
    }

    @Test func `a session whose holder is killed after the start is lost, with its processes`() async throws {
        let create = try start(stoppingAt: .holdAnswered)
        #expect(try await create.wait() == .exited(0))
        let holder = try await stoppedHolder(runs: true)
        kill(holder, SIGKILL)
        let record = try lab.host.session("x")
        #expect(await lab.isReleased(record.id))
        let lost = try lab.host.session("x")
        #expect(lost.state == .lost)
        #expect(lab.host.remains(of: [lost])[lost.id]?.isEmpty == false)
        #expect(try await lab.host.killWithoutHolder(lost.id, signal: nil, grace: .zero, keepsPause: false).isEmpty)
        #expect(lab.host.remains(of: [lost]).isEmpty)
    }

    @Test func `nothing of the program survives if the holder cannot record that it is running`() async throws {
        let create = try start(stoppingAt: .holdProgram)
        let holder = try await stoppedHolder(runs: true)
        let processes = ProcessTable.processes(group: holder).filter { $0 != holder }
        defer { for process in processes { kill(process, SIGKILL) } }
        let record = lab.files(try lab.host.session("x")).record
        for path in [record, record + ".spare"] { try FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: record, withIntermediateDirectories: false)
        kill(holder, SIGCONT)
        #expect(try await create.wait() == .exited(73))
        #expect(processes.allSatisfy { ProcessTable.command($0).isEmpty })
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
    }
}
