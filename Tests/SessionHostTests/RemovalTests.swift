import Core
import Foundation
import SessionHost
import System
import TestSupport
import Testing

/// Sessions that are removed when they have ended, or some time later.
struct RemovalTests {
    private let lab: HolderLab
    /// A FIFO from which the programs read before they end.
    private let gate: String

    init() throws {
        lab = try HolderLab()
        gate = lab.scratch.path("gate")
        try #require(mkfifo(gate, 0o600) == 0)
    }

    private func create(_ name: String, _ script: String, keepFor: Duration?) async throws -> Session {
        var request = try lab.request(name, "/bin/sh", "-c", script)
        request.creation.keepFor = keepFor
        return try await lab.host.create(request)
    }

    private func openGate() async throws {
        // Without O_NONBLOCK, opening a FIFO would block until the program reads from it.
        var descriptor: CInt = -1
        let isOpen = await eventually {
            descriptor = open(gate, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
            return descriptor >= 0
        }
        try #require(isOpen)
        close(descriptor)
    }

    private func isRemoved(_ record: Session) async throws -> Bool {
        await eventually {
            !FileManager.default.fileExists(atPath: lab.files(record).directory)
                && (try? FileManager.default.contentsOfDirectory(atPath: "\(lab.directory.path)/names")) == []
        }
    }

    @Test func `a client gets the output and the exit status before the session is removed`() async throws {
        let record = try await create("x", "read line <\(gate); echo last; exit 3", keepFor: .zero)
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach(from: 0)
        try await openGate()
        var output: [UInt8] = []
        var exit: Core.ExitStatus?
        while let frame = try await client.nextOrEnd() {
            if case .output(_, let bytes) = frame { output += bytes }
            if case .exit(let status, _) = frame { exit = status }
        }
        #expect(String(decoding: output, as: UTF8.self) == "last\r\n")
        #expect(exit == .exited(3))
        #expect(try await isRemoved(record))
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
    }

    @Test func `a session is kept while a client has output to read`() async throws {
        let record = try await create("x", "read line <\(gate); seq 1 200000; exit 3", keepFor: .zero)
        let client = try await HolderClientConnection(lab.files(record))
        _ = try await client.attach(from: 0)
        try await openGate()
        #expect(await eventually { (try? lab.host.session("x").state) == .exited })
        let end = try lab.host.session("x").outputBytes
        var position: UInt64 = 0
        var exit: Core.ExitStatus?
        while let frame = try await client.nextOrEnd() {
            if case .output(let offset, let bytes) = frame {
                #expect(offset == position)
                position += UInt64(bytes.count)
            }
            if case .exit(let status, _) = frame { exit = status }
        }
        #expect(position == end)
        #expect(exit == .exited(3))
        #expect(try await isRemoved(record))
    }

    @Test func `a killed session is removed`() async throws {
        let record = try await create("x", "sleep 1000", keepFor: .zero)
        let client = try await HolderClientConnection(lab.files(record))
        try client.send(.kill(signal: 0, graceMilliseconds: 200))
        #expect(try await client.next() == .killed(survivors: []))
        #expect(try await isRemoved(record))
    }

    /// Changes the time at which a session ended.
    private func age(_ record: Session, by seconds: Int64) throws {
        var aged = try lab.host.session(record.id.text)
        let end = try #require(aged.endedAt)
        aged.endedAt = Timestamp(seconds: end.seconds - seconds)
        try Data(aged.json).write(to: URL(fileURLWithPath: lab.files(record).record))
    }

    @Test func `a session is removed once the time to keep it is over`() async throws {
        let record = try await lab.end(of: try await create("x", "true", keepFor: .seconds(3600)))
        let other = try await lab.end(of: try await create("other", "true", keepFor: nil))
        for id in [record.id, other.id] { #expect(await lab.isReleased(id)) }
        #expect(record.keepFor == .seconds(3600))
        #expect(lab.host.removeExpired(among: [record, other]) == [record, other])
        for session in [record, other] { try age(session, by: 3600) }
        let sessions = try lab.host.sessions(SilentDiagnostics())
        #expect(lab.host.removeExpired(among: sessions).map(\.name) == ["other"])
        #expect(try lab.host.sessions(SilentDiagnostics()).map(\.name) == ["other"])
    }

    @Test func `creating a session removes expired ones, but not each time`() async throws {
        for name in ["one", "two"] {
            let record = try await lab.end(of: try await create(name, "true", keepFor: .seconds(60)))
            #expect(await lab.isReleased(record.id))
            try age(record, by: 60)
        }
        #expect(try lab.host.sessions(SilentDiagnostics()).map(\.name).sorted() == ["one", "two"])
        try FileManager.default.removeItem(atPath: "\(lab.directory.path)/expired")
        _ = try await create("three", "sleep 1000", keepFor: nil)
        #expect(try lab.host.sessions(SilentDiagnostics()).map(\.name) == ["three"])
    }

    @Test(arguments: [.zero, .seconds(3600)] as [Duration])
    func `a lost session is kept until its processes have ended`(keepFor: Duration) async throws {
        let record = try await create("x", "trap '' HUP; echo ready; while :; do sleep 1000; done", keepFor: keepFor)
        #expect(try await lab.output(of: record, holds: "ready"))
        kill(try #require(record.holder?.processID), SIGKILL)
        #expect(await lab.isReleased(record.id))
        let lost = try lab.host.session("x")
        #expect(lost.state == .lost)
        #expect(lab.host.removeExpired(among: [lost]) == [lost])
        #expect(try lab.host.session("x").endedAt == nil)
        ProcessTable.killAll(group: try #require(record.program?.processID))
        #expect(await eventually { lab.host.remains(of: [lost]).isEmpty })
        #expect(lab.host.removeExpired(among: [lost]).count == (keepFor == .zero ? 0 : 1))
        guard keepFor > .zero else {
            #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
            return
        }
        #expect(try lab.host.session("x").endedAt != nil)
        try age(lost, by: 3600)
        let aged = try lab.host.session("x")
        // A process that another test is starting may hold the lock until it executes its program.
        #expect(await eventually { lab.host.removeExpired(among: [aged]).isEmpty })
    }

    @Test func `a lost session of another machine is kept`() async throws {
        let record = try await create("x", "sleep 1000", keepFor: .zero)
        kill(try #require(record.holder?.processID), SIGKILL)
        #expect(await lab.isReleased(record.id))
        var foreign = try lab.host.session("x")
        #expect(await eventually { lab.host.remains(of: [foreign]).isEmpty })
        foreign.host = "elsewhere"
        #expect(lab.host.removeExpired(among: [foreign]) == [foreign])
    }

    @Test(arguments: Fault.allCases.filter { $0.rawValue.hasPrefix("end:") })
    func `a session whose holder crashes at the end is removed later`(_ fault: Fault) async throws {
        try await lab.creation(["x", "--rm", "--", "true"], fault: fault.rawValue).check()
        let names = try FileManager.default.contentsOfDirectory(atPath: lab.directory.path)
        let id = try #require(names.first { $0.count == 12 })
        #expect(await lab.isReleased(try #require(SessionID(id))))
        let left = try lab.host.sessions(SilentDiagnostics())
        #expect(left.count == 1)
        #expect(lab.host.removeExpired(among: left).isEmpty)
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
    }

    @Test func `concurrent removals remove a session once`() async throws {
        let record = try await lab.end(of: try await create("x", "true", keepFor: nil))
        #expect(await lab.isReleased(record.id))
        let host = lab.host
        let count = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<12 { group.addTask { (try? await host.remove(record.id)) == true } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
    }

    @Test func `a log can be read after its session is removed only if it was open before`() async throws {
        let record = try await lab.end(of: try await create("x", "echo text", keepFor: nil))
        let open = try lab.host.log(of: record.id)
        _ = try open.events(from: 0)
        let late = try lab.host.log(of: record.id)
        #expect(await lab.isReleased(record.id))
        #expect(try await lab.host.remove(record.id))
        #expect(try open.read(from: 0, limit: 100) == Array("text\r\n".utf8))
        #expect(try !open.events(from: 0).events.isEmpty)
        let removed = VTError(.notFound, "session 'x' has been removed")
        #expect(throws: removed) { try late.events(from: 0) }
        #expect(throws: removed) { try open.offset(at: Timestamp(seconds: 0)) }
    }
}
