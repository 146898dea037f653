import Core
import Services
import System
import TestSupport
import Testing

/// The survival of sessions when their user logs out, on machines simulated with a few files and programs.
@Suite struct SurvivalTests {
    private let machine: ScratchDirectory

    init() throws {
        machine = try ScratchDirectory()
        try machine.makeDirectory("run/systemd/system")
        try machine.makeDirectory("bin")
    }

    static let loginScope = "0::/user.slice/user-1000.slice/session-3.scope"
    static let stays = #"printf 'b false\nas 0\nas 1 "root"\n'"#
    static let ends = #"printf 'b true\nas 0\nas 1 "root"\n'"#

    private func program(_ name: String, _ body: String) throws {
        try machine.write("#!/bin/sh\n\(body)\n", to: "bin/\(name)", mode: 0o755)
    }

    private func linger() throws {
        try machine.write("", to: "var/lib/systemd/linger/ann")
    }

    private func detect(
        in group: String,
        user: String = "ann",
        _ variables: [String: String] = [:]
    ) async throws -> Survival {
        try machine.write(group + "\n", to: "proc/self/cgroup")
        let environment = ["PATH": machine.path("bin")].merging(variables) { $1 }
        let detector = SystemdSurvivalDetector(
            root: machine.path,
            environment: Environment(environment),
            user: user,
            userID: 1000,
            clock: ContinuousClock()
        )
        return await detector.detect()
    }

    @Test(arguments: [
        "0::/system.slice/ssh.service", "0::/", "0::/../..", "",
        "12:pids:/x\n1:name=systemd:/system.slice/cron.service",
        "0::/user.slice/user-1000.slice/session-.slice",
    ])
    func `outside a login session, a session is unaffected, and logind is not queried`(group: String) async throws {
        try program("busctl", "touch \(machine.path("asked")); \(Self.ends)")
        let survival = try await detect(in: group)
        #expect(survival.mode == .unaffected)
        #expect(survival.launchPrefix.isEmpty)
        #expect(throws: (any Error).self) { try machine.read("asked") }
    }

    @Test(arguments: [loginScope, "5:cpu:/\n1:name=systemd:/user.slice/user-1000.slice/session-c2.scope\n0::/"])
    func `a session stays in a scope that logind does not stop`(group: String) async throws {
        try program("busctl", Self.stays)
        #expect(try await detect(in: group).mode == .loginScope)
        #expect(try await detect(in: group).launchPrefix.isEmpty)
    }

    @Test func `without systemd, the name of the cgroup is ignored`() async throws {
        try machine.remove("run/systemd/system")
        #expect(try await detect(in: Self.loginScope).mode == .unaffected)
    }

    @Test func `without lingering, a session ends when logind stops the login scope`() async throws {
        try program("busctl", Self.ends)
        try program("systemd-run", "")
        let survival = try await detect(in: Self.loginScope, ["XDG_RUNTIME_DIR": machine.path("run/user/1000")])
        #expect(survival.mode == .dies)
        #expect(survival.hint == "loginctl enable-linger ann")
    }

    @Test(arguments: [ends, "exit 1"])
    func `with lingering, a session starts in a scope of the user's service manager`(answer: String) async throws {
        try program("busctl", answer)
        try program("systemd-run", "")
        try linger()
        try machine.write("", to: "run/user/1000/bus")
        let survival = try await detect(in: Self.loginScope)
        let run: [ByteString] = [
            ByteString(machine.path("bin/systemd-run")), "--user", "--scope", "--quiet", "--collect",
            "--property=Delegate=yes", "--",
        ]
        #expect(survival.mode == .userScope)
        #expect(
            survival.launchPrefix == ["env", ByteString("XDG_RUNTIME_DIR=\(machine.path("run/user/1000"))")] + run
        )
        let known = try await detect(in: Self.loginScope, ["XDG_RUNTIME_DIR": machine.path("run/user/1000")])
        #expect(known.launchPrefix == run)
    }

    @Test func `with lingering but no connection to the user's service manager, a session still ends`() async throws {
        try program("busctl", Self.ends)
        try linger()
        #expect(try await detect(in: Self.loginScope).mode == .dies)
    }

    @Test(arguments: [
        ("ann", "b true\nas 1 \"bob\"\nas 0", Survival.Mode.loginScope),
        ("ann", "b false\nas 2 \"bob\" \"ann\"\nas 0", .dies),
        ("ann", "b false\nas 1 \"ann\"\nas 1 \"ann\"", .loginScope),
        ("root", "b true\nas 0\nas 1 \"root\"", .loginScope),
        ("ann", "b true\nas 7 \"root\"\nas 0", .uncertain),
        ("ann", "nonsense", .uncertain),
        ("ann", "", .uncertain),
    ])
    func `respects logind's lists of users`(_ user: String, _ answer: String, _ expected: Survival.Mode) async throws {
        try program("busctl", "cat <<'END'\n\(answer)\nEND")
        #expect(
            try await detect(in: Self.loginScope, user: user, ["PATH": "\(machine.path("bin")):/bin"]).mode == expected
        )
    }

    @Test func `a query to a logind that does not reply times out`() async throws {
        try program("busctl", "exec /bin/sleep 3600")
        let clock = ContinuousClock()
        let start = clock.now
        let survival = try await detect(in: Self.loginScope)
        #expect(survival.mode == .uncertain)
        #expect(!survival.isCertain)
        #expect(clock.now - start < .seconds(600))
    }

    @Test func `without lingering, the user's service manager ends`() async throws {
        let group = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope"
        #expect(try await detect(in: group).mode == .dies)
        try linger()
        let survival = try await detect(in: group)
        #expect(survival.mode == .userScope)
        #expect(survival.launchPrefix.isEmpty)
    }

    @Test func `a session leaves a service of the user's service manager`() async throws {
        try program("systemd-run", "")
        try linger()
        let survival = try await detect(
            in: "0::/user.slice/user-1000.slice/user@1000.service/app.slice/job.service",
            ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x", "XDG_RUNTIME_DIR": "/x"]
        )
        #expect(survival.mode == .userScope)
        #expect(survival.launchPrefix.count == 6)
    }
}
