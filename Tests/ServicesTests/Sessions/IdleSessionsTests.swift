import Core
import Testing
@testable import Services

/// Which sessions `vt sessions reap` selects.
struct IdleSessionsTests {
    private static let now = Timestamp(seconds: 100_000)

    /// A session that was last active the given number of seconds ago.
    private func session(
        _ name: String,
        _ age: Int64,
        state: SessionState = .running,
        shell: ShellStatus.State? = nil,
        tags: [String] = []
    ) throws -> Session {
        var session = Session(
            id: .random(),
            name: name,
            state: state,
            command: ["bash"],
            directory: "/",
            size: .standard,
            terminalType: "xterm",
            createdAt: Timestamp(seconds: 0),
            host: "",
            bootID: "",
            version: ""
        )
        session.activeAt = Timestamp(seconds: Self.now.seconds - age)
        session.tags = tags
        if let shell {
            session.shell = ShellStatus(kind: "bash")
            session.shell?.state = shell
        }
        return session
    }

    private func names(_ selection: IdleSessions, _ sessions: [Session]) -> [String] {
        selection.selected(from: sessions, now: Self.now).map(\.name)
    }

    @Test func `idle sessions are selected, but not those that run a command`() throws {
        let sessions = [
            try session("new", 10, shell: .prompt), try session("old", 2000, shell: .prompt),
            try session("busy", 3000, shell: .running), try session("older", 1800, shell: .prompt),
            try session("frozen", 9000, state: .frozen), try session("ended", 9000, state: .exited),
        ]
        var selection = IdleSessions(.pause)
        selection.idle = .seconds(1800)
        #expect(names(selection, sessions) == ["old", "older"])
        selection.action = .kill
        #expect(names(selection, sessions) == ["frozen", "old", "older"])
    }

    @Test func `sessions that wait for a person are not selected`() throws {
        var asking = try session("asking", 9000, shell: .prompt)
        asking.question = try Question(asking: "log in")
        var answered = asking
        answered.name = "answered"
        answered.question?.answer = .done
        for action in IdleSessions.Action.allCases {
            var selection = IdleSessions(action)
            selection.idle = .seconds(60)
            #expect(names(selection, [asking, answered]) == ["answered"])
        }
    }

    @Test func `sessions whose last activity is not known are not selected`() throws {
        let document = Array("{}".utf8)
        var other = try session("other", 9000)
        other.vibeTunnel = ForeignJSON(try JSONOutlineParser.parse(document), in: document)
        var unknown = other
        (unknown.name, unknown.activeAt, unknown.startedAt) = ("unknown", nil, Timestamp(seconds: 0))
        for action in IdleSessions.Action.allCases where action != .pause {
            var selection = IdleSessions(action)
            (selection.idle, selection.maximumActive) = (.seconds(60), 0)
            #expect(names(selection, [other, unknown]) == ["other"])
            #expect(selection.unknown(among: [other, unknown]).map(\.name) == ["unknown"])
        }
    }

    @Test func `the sessions with the oldest activity exceed the maximum`() throws {
        let sessions = [
            try session("a", 30, shell: .prompt), try session("b", 20, shell: .running),
            try session("c", 10, shell: .prompt),
            try session("d", 40, state: .paused),
        ]
        var selection = IdleSessions(.freeze)
        selection.maximumActive = 1
        #expect(names(selection, sessions) == ["a", "c"])
        selection.maximumActive = 0
        #expect(names(selection, sessions) == ["a", "c", "b"])
        selection.action = .pause
        #expect(names(selection, sessions) == ["a", "c"])
        selection.maximumActive = 3
        #expect(names(selection, sessions) == [])
        // Sessions that are idle are not counted again.
        (selection.idle, selection.maximumActive) = (.seconds(30), 2)
        #expect(names(selection, sessions) == ["a"])
    }

    @Test func `only sessions with the tags, and shells that can be paused, are selected`() throws {
        let sessions = [
            try session("a", 30, shell: .prompt, tags: ["x"]), try session("b", 30, shell: .prompt),
            try session("c", 30, tags: ["x"]),
        ]
        var selection = IdleSessions(.pause)
        (selection.idle, selection.tags) = (.zero, ["x"])
        #expect(names(selection, sessions) == ["a"])
        selection.action = .freeze
        #expect(Set(names(selection, sessions)) == ["a", "c"])
    }
}
