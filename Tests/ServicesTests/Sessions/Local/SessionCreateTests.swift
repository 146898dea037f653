import Core
import CoreTestSupport
import Services
import System
import Testing

@Suite struct SessionCreateTests {
    private func order(
        _ name: String = "build",
        _ command: [ByteString] = ["make"],
        _ ifExists: SessionCreation.IfExists = .fail
    ) throws -> SessionCreation {
        var order = SessionCreation(name: try SessionName(name), command: command)
        order.ifExists = ifExists
        return order
    }

    @Test func `composes the environment, in which requested variables take precedence`() async throws {
        let fixture = SessionFixture(
            environment: [
                "PATH": "/bin", "HOME": "/h", "LC_ALL": "C.UTF-8", "RUNNER_TRACKING_ID": "x", "SSH_AUTH_SOCK": "/agent",
                "TERM": "dumb", "TZ": "UTC",
            ]
        )
        var order = try order()
        order.directory = "/srv/it"
        order.variables = [try EnvironmentVariable("TZ=CET"), try EnvironmentVariable("A=b")]
        _ = try await fixture.sessions.create(order)
        let request = try #require(fixture.host.requests.first)
        #expect(
            request.environment.map(\.repairedText).sorted() == [
                "A=b", "HOME=/h", "LC_ALL=C.UTF-8", "LOGNAME=ann", "PATH=/bin", "PWD=/srv/it", "SHELL=/bin/zsh",
                "TZ=CET", "USER=ann",
            ]
        )
        #expect(request.creation.variables.map(\.name) == ["TZ", "A"])
        #expect(request.agentSocket == "/agent")
        #expect(request.survival == "unaffected")
    }

    @Test func `without a command, a session runs a login shell`() async throws {
        let fixture = SessionFixture()
        _ = try await fixture.sessions.create(try order("shell", []))
        #expect(fixture.host.requests.first?.creation.command == ["/bin/zsh", "-l"])
    }

    @Test(arguments: [("/srv", "PWD=/srv"), ("/srv/../etc", nil), ("~", "PWD=/home/ann")])
    func `PWD is the directory unless its path contains dot-dot`(directory: String, word: String?) async throws {
        let fixture = SessionFixture()
        var order = try order()
        order.directory = directory
        _ = try await fixture.sessions.create(order)
        let words = try #require(fixture.host.requests.first).environment.map(\.repairedText)
        #expect(words.first { $0.hasPrefix("PWD=") } == word)
    }

    @Test func `an unreadable session is only replaced on request`() async throws {
        for ifExists in [SessionCreation.IfExists.ok, .fail, .replace] {
            let fixture = SessionFixture([.init(record: .sample("build", state: .unreadable))])
            let order = try order("build", ["make"], ifExists)
            guard ifExists != .replace else {
                #expect(try await fixture.sessions.create(order).isNew)
                continue
            }
            let error = await #expect(throws: VTError.self) { try await fixture.sessions.create(order) }
            #expect(error?.code == .exists)
            #expect(fixture.host.keptNames == ["build"])
        }
    }

    @Test func `the name of an expired session is free`() async throws {
        var record = Session.sample("build", state: .exited)
        (record.endedAt, record.keepFor) = (.now(), .seconds(3600))
        let fixture = SessionFixture([.init(record: record)])
        var order = try order()
        order.keepFor = .seconds(60)
        let error = await #expect(throws: VTError.self) { try await fixture.sessions.create(order) }
        #expect(error?.code == .exists)
        fixture.host.change("build") { $0.record.endedAt = Timestamp(seconds: 1) }
        #expect(try await fixture.sessions.create(order).isNew)
        #expect(fixture.host.requests.map(\.creation.keepFor) == [.seconds(60)])
    }

    @Test func `makes directories absolute`() async throws {
        let fixture = SessionFixture()
        for (index, path) in ["/srv", "~/src", "~", "sub"].enumerated() {
            var order = try order("s-\(index)")
            order.directory = path
            _ = try await fixture.sessions.create(order)
        }
        let expected = ["/srv", "/home/ann/src", "/home/ann", "\(WorkingDirectory.path)/sub"]
        #expect(fixture.host.requests.map(\.directory) == expected)
    }

    @Test(arguments: [
        (SessionState.running, SessionCreation.IfExists.fail, VTError.Code?.some(.exists), true),
        (.exited, .fail, .exists, true), (.running, .ok, nil, false), (.exited, .ok, nil, true),
        (.lost, .ok, nil, true), (.exited, .replace, nil, true), (.running, .replace, nil, true),
    ])
    func `handles a name in use as requested`(
        state: SessionState,
        ifExists: SessionCreation.IfExists,
        failure: VTError.Code?,
        isNew: Bool
    ) async throws {
        let present = Session.sample("build", state: state)
        let fixture = SessionFixture([.init(record: present)])
        let order = try order("build", ["make"], ifExists)
        do throws(VTError) {
            let (session, isFresh) = try await fixture.sessions.create(order)
            #expect(failure == nil)
            #expect(isFresh == isNew)
            #expect((session.id == present.id) == !isNew)
        } catch {
            #expect(error.code == failure)
        }
        #expect(fixture.host.keptNames == ["build"])
    }

    @Test func `fails if survival is required but the session would end at logout`() async throws {
        let fixture = SessionFixture(
            survival: Survival(.dies, reason: "KillUserProcesses", hint: "loginctl enable-linger")
        )
        var order = try order()
        _ = try await fixture.sessions.create(order)
        #expect(fixture.notes.all == ["'build' will end when you log out: KillUserProcesses"])
        order.mustSurvive = true
        let error = await #expect(throws: VTError.self) { try await fixture.sessions.create(order) }
        #expect(error?.code == .negative)
        #expect(error?.hint == "loginctl enable-linger")
    }
}
