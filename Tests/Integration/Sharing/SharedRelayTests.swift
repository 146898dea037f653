import Foundation
import TestSupport
import Testing

/// Calls over a shared connection, which keeps the relay.
@Suite(.crowded)
struct SharedRelayTests {
    private let lab: SharedLab
    private let program: String

    init() async throws {
        lab = try await SharedLab()
        program = "\(lab.server.home)/.local/bin/vt"
        try FileManager.default.createDirectory(
            atPath: "\(lab.server.home)/.local/bin",
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: TestTree.vt)
        try await check("sessions", "create", "s:x", "--", "cat")
    }

    @discardableResult
    private func check(_ words: String...) async throws -> String {
        try await lab.vt.call(words, environment: SharedLab.sharing).check()
    }

    /// The relays on the server.
    private func relays() -> [String] {
        lab.server.commands.filter { $0.hasSuffix("/vt relay") }
    }

    @Test func `consecutive calls use the same process, which ends with the connection`() async throws {
        try await check("sessions", "send", "s:x", "one", "--enter")
        let processes = Set(lab.server.processes)
        for _ in 0..<3 {
            #expect(try await check("sessions", "list", "s").contains("cat"))
            try await check("sessions", "wait", "s:x", "--match", "one", "--from", "0")
            #expect(try await check("sessions", "screen", "s:x").contains("one"))
        }
        let missing = try await lab.vt.call(["sessions", "show", "s:y"], environment: SharedLab.sharing).run()
        #expect(missing.status == .exited(66))
        #expect(await eventually { relays().count == 1 })
        #expect(await eventually { Set(lab.server.processes) == processes })
        try await check("profile", "connections", "--close")
        #expect(await eventually { relays().isEmpty })
    }

    @Test func `concurrent calls have a relay each, of which few are kept`() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 { group.addTask { try await check("sessions", "list", "s") } }
            for try await text in group { #expect(text.contains("cat")) }
        }
        #expect(await eventually { relays().count <= 4 })
    }

    @Test func `an interrupted call ends its relay`() async throws {
        let busy = try lab.start("sessions", "logs", "s:x", "-f")
        #expect(await eventually { !relays().isEmpty })
        busy.kill()
        #expect(await eventually { relays().isEmpty })
        #expect(try await check("sessions", "list", "s").contains("cat"))
    }

    @Test func `a kept relay that has been killed is not used`() async throws {
        for round in 0..<10 {
            try await check("sessions", "list", "s")
            let relay = try #require(lab.server.processes.first { ProcessTable.command($0).hasSuffix("/vt relay") })
            kill(relay, SIGKILL)
            // The next call is made before or after the server has reported the end of the relay.
            if round % 2 == 0 { #expect(await eventually { relays().isEmpty }) }
            #expect(try await check("sessions", "list", "s").contains("cat"))
        }
    }

    @Test func `a new version of vt on the server is used at once`() async throws {
        try await check("sessions", "list", "s")
        #expect(await eventually { relays().count == 1 })
        try FileManager.default.removeItem(atPath: program)
        try ScratchDirectory.copyProgram(TestTree.vt, to: program)
        #expect(try await check("sessions", "list", "s").contains("cat"))
        #expect(await eventually { relays().count == 1 })
    }

    @Test func `a server that allows one channel serves calls and commands`() async throws {
        let lab = try await SharedLab(.init(lines: ["MaxSessions 1"]))
        try FileManager.default.createDirectory(
            atPath: "\(lab.server.home)/.local/bin",
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(
            atPath: "\(lab.server.home)/.local/bin/vt",
            withDestinationPath: TestTree.vt
        )
        for _ in 0..<3 {
            let listed = try await lab.vt.call(["sessions", "list", "s"], environment: SharedLab.sharing).run()
            #expect(listed.status == .exited(0), "\(listed.errorText)")
            #expect(try await lab.exec("echo here").text == "here\n")
        }
    }
}
