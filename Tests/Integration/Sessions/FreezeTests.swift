import Foundation
import TestSupport
import Testing

/// `vt sessions freeze` and `resume`.
@Suite(.crowded)
struct FreezeTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    private func state(_ name: String) async throws -> String? {
        try await vt.run("sessions", "show", name, "--json").json()["state"] as? String
    }

    private func freezeRepeatedly(_ storm: ProcessStorm) async throws {
        for round in 0..<testRounds(2) {
            try await vt.check("sessions", "freeze", "storm")
            #expect(try await storm.isStill(), "round \(round)")
            try await vt.check("sessions", "resume", "storm")
            #expect(try await storm.isRunning(), "round \(round)")
        }
    }

    private static let stormSize = testRounds(0) > 0 ? 200 : 10

    @Test func `processes that fork all the time stop, and all continue`() async throws {
        try await freezeRepeatedly(try await ProcessStorm(Self.stormSize, with: vt))
    }

    // With many processes, each version needs the processors for itself.
    @Test(.serialized, arguments: TestControlGroup.Version.allCases)
    func `a control group of its own freezes a session`(_ version: TestControlGroup.Version) async throws {
        // Without permission to create groups, the signals are all there is to test.
        guard let group = TestControlGroup(version) else { return }
        let storm = try await ProcessStorm(Self.stormSize, with: vt, in: group)
        try await vt.check("sessions", "freeze", "storm")
        #expect(try await storm.isStill())
        #expect(group.isFrozen)
        try await vt.check("sessions", "resume", "storm")
        try await freezeRepeatedly(storm)
        try await vt.check("sessions", "freeze", "storm")
        try await vt.check("sessions", "kill", "storm", "--grace", "1s")
        #expect(await eventually { !group.hasChild && vt.processes.isEmpty })
    }

    @Test(arguments: [nil] + TestControlGroup.Version.allCases)
    func `a frozen session whose holder was killed is lost, and can be killed`(
        _ version: TestControlGroup.Version?
    ) async throws {
        let group = version.flatMap { TestControlGroup($0) }
        _ = try await ProcessStorm(6, with: vt, in: group)
        try await vt.check("sessions", "freeze", "storm")
        kill(try await vt.holder(of: "storm"), SIGKILL)
        #expect(try await eventually { try await state("storm") == "lost" })
        try await vt.check("sessions", "kill", "storm", "--grace", "1s")
        #expect(await eventually { vt.processes.isEmpty })
        // With version 2, the hangup of the terminal ends frozen processes, too; systemd removes what is left of a scope.
        _ = group
    }

    @Test(arguments: [nil] + TestControlGroup.Version.allCases)
    func `freezing a session does not stop one that was created within it`(_ version: TestControlGroup.Version?)
        async throws
    {
        let group = version.flatMap { TestControlGroup($0) }
        let words = ["sessions", "create", "s", "--", "bash"]
        try await (group?.call(words, with: vt) ?? vt.call(words)).check()
        try await vt.check("sessions", "exec", "s", "vt sessions create inner -- bash")
        try await vt.check("sessions", "exec", "inner", "true")
        try await vt.check("sessions", "freeze", "s")
        #expect(try await vt.check("sessions", "exec", "inner", "echo on") == "on\n")
        try await vt.check("sessions", "resume", "s")
        #expect(try await vt.check("sessions", "exec", "s", "echo on") == "on\n")
        try await vt.check("sessions", "kill", "s", "inner", "--grace", "0s")
        #expect(await eventually { vt.processes.isEmpty })
        _ = group
    }

    @Test func `freezing and resuming twice changes nothing, and the state is shown`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "exec", "s", "true")
        for _ in 0..<2 {
            let list = try await vt.run("sessions", "freeze", "s", "--json").text
            #expect(list.contains("\"state\":\"frozen\""), "\(list)")
        }
        #expect(try await state("s") == "frozen")
        #expect(try await vt.check("sessions", "list", "--state", "frozen", "--ids") == "s\n")
        #expect(try await vt.check("sessions", "list", "--state", "running", "--ids") == "")
        #expect(try await vt.check("sessions", "list").contains(" frozen "))
        for _ in 0..<2 { try await vt.check("sessions", "resume", "s") }
        #expect(try await state("s") == "running")
        #expect(try await vt.check("sessions", "exec", "s", "echo", "on") == "on\n")
    }

    @Test func `input and lines for a frozen session are refused unless they may wait`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "exec", "s", "true")
        try await vt.check("sessions", "freeze", "s")
        let sent = try await vt.run("sessions", "send", "s", "echo no", "--enter")
        #expect(sent.exit == 75)
        #expect(sent.errorText.hasPrefix("vt: 's' is frozen\n"), "\(sent.errorText)")
        let run = try await vt.run("sessions", "exec", "s", "echo no")
        #expect(run.exit == 255)
        #expect(run.errorText.contains("'s' is frozen (busy)"), "\(run.errorText)")
        let late = try await vt.run("sessions", "exec", "s", "--wait", "100ms", "echo no")
        #expect(late.errorText.contains("'s' is frozen (busy)"), "\(late.errorText)")
        let line = try vt.start("sessions", "exec", "s", "--wait", "60s", "echo line")
        let typed = try vt.start("sessions", "send", "s", "echo typed >~/typed", "--enter", "--wait", "prompt")
        try await vt.check("sessions", "screen", "s")
        try await vt.check("sessions", "resume", "s")
        #expect(try await line.wait() == .exited(0))
        #expect(try await typed.wait() == .exited(0))
        #expect(try String(contentsOfFile: "\(vt.home)/typed", encoding: .utf8) == "typed\n")
        #expect(try await !vt.check("sessions", "logs", "s", "--plain").contains("no\n"))
    }

    @Test func `a stopped job remains stopped, and a shell does not notice that its command stopped`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        try await vt.check("sessions", "exec", "s", "sleep 1000 & kill -STOP $!; wait -f 2>/dev/null; true")
        try await vt.check("sessions", "send", "s", "echo up; read x; echo got $x", "--enter", "--wait", "match=^up")
        try await vt.check("sessions", "freeze", "s")
        try await vt.check("sessions", "resume", "s")
        try await vt.check("sessions", "send", "s", "it", "--enter", "--wait", "match=^got it")
        let jobs = try await vt.check("sessions", "exec", "s", "--wait", "10s", "jobs")
        #expect(jobs.contains("Stopped") && jobs.contains("sleep"), "\(jobs)")
        let log = try await vt.check("sessions", "logs", "s", "--plain")
        #expect(!log.contains("Stopped                 read"), "\(log)")
    }

    @Test(arguments: [["bash"], ["zsh"], ["fish"], ["sh", "-c", "kill -STOP $$; echo on; sleep 1000"]])
    func `a program that stops itself is continued, unless the session is frozen`(_ command: [String]) async throws {
        try await vt.call(["sessions", "create", "s", "--"] + command).check()
        if command.count == 1 {
            try await vt.check("sessions", "exec", "s", "true")
            let suspend = command == ["fish"] ? "kill -STOP $fish_pid" : "suspend -f"
            try await vt.check("sessions", "send", "s", "\(suspend); echo o''n", "--enter")
        }
        try await vt.check("sessions", "wait", "s", "--match", "^on", "--timeout", "60s")
        let pid = try #require(try await vt.run("sessions", "show", "s", "--json").json()["pid"] as? Int)
        func isStopped() throws -> Bool {
            try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).contains("State:\tT")
        }
        // A client that stops it means that.
        try await vt.check("sessions", "kill", "s", "--signal", "STOP")
        #expect(try await eventually { try isStopped() })
        try await vt.check("sessions", "freeze", "s")
        try await vt.check("sessions", "resume", "s")
        #expect(try isStopped())
        try await vt.check("sessions", "resume", "s")
        #expect(try await eventually { try !isStopped() })
        try await vt.check("sessions", "freeze", "s")
        kill(pid_t(pid), SIGSTOP)
        try await vt.check("sessions", "screen", "s")
        #expect(try isStopped())
        try await vt.check("sessions", "resume", "s")
        #expect(try await eventually { try !isStopped() })
    }

    @Test func `a program that is not a shell can be frozen, and killed while frozen`() async throws {
        try await vt.check("sessions", "create", "s", "--", "sleep", "1000")
        try await vt.check("sessions", "freeze", "s")
        try await vt.check("sessions", "kill", "s")
        #expect(try await state("s") == "exited")
        let again = try await vt.run("sessions", "freeze", "s")
        #expect(again.exit == 1)
        let missing = try await vt.run("sessions", "resume", "none")
        #expect(missing.exit == 66)
    }

    @Test(arguments: ["freeze:noted", "freeze:done", "thaw:noted", "thaw:done"])
    func `a crash while a session is frozen or resumed leaves it lost, and it can be killed`(_ fault: String)
        async throws
    {
        let words = ["sessions", "create", "s", "--", "sh", "-c", "trap '' HUP; sleep 1000 & sleep 1000"]
        try await vt.call(words, environment: ["VT_FAULT": fault]).check()
        _ = try await vt.run("sessions", "freeze", "s")
        if fault.hasPrefix("thaw") { _ = try await vt.run("sessions", "resume", "s") }
        #expect(try await eventually { try await state("s") == "lost" })
        try await vt.check("sessions", "kill", "s", "--grace", "100ms")
        #expect(await eventually { vt.processes.isEmpty })
    }
}
