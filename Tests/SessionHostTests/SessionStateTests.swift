import Core
import Foundation
import SessionHost
import System
import TestSupport
import Testing

struct SessionStateTests {
    private let lab: HolderLab

    init() throws {
        lab = try HolderLab()
    }

    @Test func `a session whose holder was killed is lost, and other sessions are unaffected`() async throws {
        let first = try await lab.create("first", "echo kept; sleep 1000")
        let second = try await lab.create("second", "sleep 1000")
        #expect(try await lab.output(of: first, holds: "kept"))
        kill(try #require(first.holder?.processID), SIGKILL)
        let lost = try await lab.end(of: first)
        #expect(lost.state == .lost)
        #expect(lost.exit == nil)
        #expect(try lab.text(of: first) == "kept\r\n")
        #expect(try lab.host.session(second.id.text).state == .running)
        #expect(try await lab.host.remove(first.id))
        #expect(try lab.host.sessions(SilentDiagnostics()).map(\.name) == ["second"])
    }

    @Test func `the lock shows whether a session is running, regardless of the host name`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        var moved = record
        moved.host = "elsewhere.example"
        try FileContents.replace(lab.files(record).record, with: moved.json)
        #expect(try lab.host.session("x").state == .running)
        kill(try #require(record.holder?.processID), SIGKILL)
        #expect(try await lab.end(of: record).state == .lost)
    }

    @Test func `processes from another boot do not belong to a session`() async throws {
        let record = try await lab.create("x", "trap '' HUP; unset VT_SESSION; exec sleep 1000")
        let holder = try #require(record.holder?.processID)
        let program = try #require(record.program)
        // The command line of the shell contains the word too, but the shell may not have run `trap` yet.
        #expect(await eventually { ProcessTable.command(program.processID).hasPrefix("sleep ") })
        kill(holder, SIGKILL)
        var lost = try await lab.end(of: record)
        #expect(lab.host.remains(of: [lost]) == [lost.id: ["\(program.processID) sleep"]])
        lost.bootID = "an earlier one"
        #expect(lab.host.remains(of: [lost]).isEmpty)
        try FileContents.replace(lab.files(record).record, with: lost.json)
        _ = try await lab.host.killWithoutHolder(lost.id, signal: nil, grace: .zero, keepsPause: false)
        #expect(ProcessTable.command(program.processID).hasPrefix("sleep "))
        kill(program.processID, SIGKILL)
    }

    @Test func `a directory without a record is a failed session`() async throws {
        try lab.scratch.makeDirectory("sessions/names")
        try lab.scratch.makeDirectory("sessions/0123456789ab")
        let record = try #require(try lab.host.sessions(SilentDiagnostics()).first)
        #expect(record.state == .failed)
        #expect(record.name == "0123456789ab")
        #expect(try lab.output(of: record).isEmpty)
        #expect(try await lab.host.remove(record.id))
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
    }

    @Test func `an unreadable record is reported, and does not hide other sessions`() async throws {
        let broken = try await lab.create("broken", "true")
        let sound = try await lab.create("sound", "true")
        _ = try await (lab.end(of: broken), lab.end(of: sound))
        try lab.scratch.write("{", to: "sessions/\(broken.id.text)/session.json")
        let states = try lab.host.sessions(SilentDiagnostics()).map { [$0.name, $0.state.rawValue] }
        #expect(Set(states) == [["sound", "exited"], ["broken", "unreadable"]])
        #expect(try lab.host.session("broken").failure != nil)
    }

    @Test func `finds a session by its full name or ID, and suggests a similar name`() async throws {
        let record = try await lab.create("builder", "true")
        #expect(try lab.host.session("builder").id == record.id)
        #expect(try lab.host.session(record.id.text).name == "builder")
        let error = #expect(throws: VTError.self) { try lab.host.session("buildr") }
        #expect(error?.code == .notFound)
        #expect(error?.hint?.contains("'builder'") == true)
    }

    @Test func `does not remove or rename a running session`() async throws {
        let record = try await lab.create("x", "sleep 1000")
        let name = try SessionName("y")
        await #expect(throws: VTError.self) { try await lab.host.remove(record.id) }
        let error = await #expect(throws: VTError.self) { try await lab.host.rename(record.id, to: name) }
        #expect(error?.code == .busy)
        #expect(try lab.host.session("x").state == .running)
    }

    @Test func `removing a session frees its name, and doing it twice is harmless`() async throws {
        let record = try await lab.create("x", "true")
        _ = try await lab.end(of: record)
        #expect(try await lab.host.remove(record.id))
        #expect(try await !lab.host.remove(record.id))
        let next = try await lab.create("x", "true")
        #expect(next.id != record.id)
    }

    @Test func `only one of many concurrent removals succeeds`() async throws {
        let record = try await lab.create("x", "true")
        _ = try await lab.end(of: record)
        let lab = lab
        let removed = await withTaskGroup(of: Bool?.self) { group in
            for _ in 0..<8 { group.addTask { try? await lab.host.remove(record.id) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(removed.count { $0 == true } == 1)
        #expect(removed.count { $0 == false } == 7)
    }

    @Test func `listing completes an interrupted removal`() async throws {
        let record = try await lab.create("x", "true")
        _ = try await lab.end(of: record)
        let directory = lab.directory.files(of: record.id).directory
        try FileManager.default.moveItem(atPath: directory, toPath: directory + ".removed")
        #expect(throws: VTError.self) { try lab.host.session("x") }
        #expect(try lab.host.sessions(SilentDiagnostics()).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: directory + ".removed"))
    }

    @Test func `renames a session that has ended, unless the name is in use`() async throws {
        let first = try await lab.create("first", "true")
        let second = try await lab.create("second", "true")
        _ = try await (lab.end(of: first), lab.end(of: second))
        let taken = try SessionName("second")
        let error = await #expect(throws: VTError.self) { try await lab.host.rename(first.id, to: taken) }
        #expect(error?.code == .exists)
        try await lab.host.rename(first.id, to: try SessionName("third"))
        #expect(try lab.host.session("third").id == first.id)
        #expect(throws: VTError.self) { try lab.host.session("first") }
        _ = try await lab.create("first", "true")
    }

    @Test func `a name that does not refer to an existing session can be used`() async throws {
        try lab.scratch.makeDirectory("sessions/names")
        symlink("../0123456789ab", "\(lab.directory.path)/names/x")
        let record = try await lab.create("x", "true")
        #expect(try lab.host.session("x").id == record.id)
    }

    @Test func `the holder exits with its session`() async throws {
        let record = try await lab.create("x", "true")
        _ = try await lab.end(of: record)
        let holder = try #require(record.holder?.processID)
        #expect(await eventually { !FileManager.default.fileExists(atPath: "/proc/\(holder)/fd/0") })
        #expect(!FileManager.default.fileExists(atPath: lab.files(record).socket))
    }
}
