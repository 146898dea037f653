import Foundation
import TestSupport
import Testing

/// Commands that write output as it arrives, and whose reader exits while there is none.
@Suite(.crowded)
struct LostReaderTests {
    private static let script = "echo X; exec sleep 1000"
    private static let calls = [
        ["sessions", "logs", "-f", "%"], ["sessions", "logs", "-f", "--json", "%"],
        ["sessions", "logs", "-f", "--format", "cast", "%"], ["record", "%", "-f", "-o", "-"],
    ]
    private static let localCalls = [
        ["sessions", "list", "--watch", "1000s"], ["sessions", "list", "--watch", "1000s", "--json"],
    ]

    private func words(_ call: [String], for session: String) -> [String] {
        call.map { $0 == "%" ? session : $0 }
    }

    /// Runs vt until it has written something, closes the other end of its output, and waits for it to end.
    private func statusAfterLoss(of call: ProgramCall) async throws -> ProgramStatus {
        let run = try call.start()
        #expect(await !run.output.read(atLeast: 1).isEmpty)
        run.output.close()
        return try await run.wait()
    }

    @Test(arguments: calls + localCalls)
    func `a silent command ends by SIGPIPE when the reader of its output exits`(_ call: [String]) async throws {
        let vt = try Vt()
        try await vt.check("sessions", "create", "quiet", "--", "sh", "-c", Self.script)
        try await vt.check("sessions", "wait", "quiet", "--match", "X")
        let status = try await statusAfterLoss(of: vt.call(words(call, for: "quiet")))
        #expect(status == .signalled(SIGPIPE))
    }

    @Test func `a pause in a recording ends by SIGPIPE when the reader exits`() async throws {
        let vt = try Vt()
        let recording = #"{"version":2,"width":80,"height":24}"# + "\n" + #"[0,"o","X"]"# + "\n" + #"[1000,"o","Y"]"#
        let file = try vt.writeElsewhere(recording + "\n", to: "pause.cast")
        #expect(try await statusAfterLoss(of: vt.call(["play", file])) == .signalled(SIGPIPE))
    }

    @Test(arguments: calls)
    func `both ends of a silent remote command end when the reader exits`(_ call: [String]) async throws {
        let lab = try await Lab()
        try lab.linkVt()
        let name = "quiet-\(UUID().uuidString.prefix(8))"
        try await lab.vt.check("sessions", "create", "p:\(name)", "--", "sh", "-c", Self.script)
        try await lab.vt.check("sessions", "wait", "p:\(name)", "--match", "X")
        let status = try await statusAfterLoss(of: lab.vt.call(words(call, for: "p:\(name)")))
        #expect(status == .signalled(SIGPIPE))
        #expect(await eventually { followers(of: name).isEmpty })
    }

    /// The processes of vt, here and on the server, that follow this session.
    private func followers(of name: String) -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return processes.map(ProcessTable.command).filter { command in
            command.contains(name) && (command.contains(" logs ") || command.contains(" record "))
        }
    }
}
