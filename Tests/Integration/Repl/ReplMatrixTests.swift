import Foundation
import TestSupport
import Testing

/// `vt sessions exec --repl` with real programs.
@Suite(.crowded)
struct ReplMatrixTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await Lab.withVt()
    }

    /// The number of times that all lines are sent, to find rare failures.
    private static let rounds = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? 1

    private func check(_ program: ReplProgram, in session: String, size: String) async throws {
        let database = program == .psql ? try await PostgresServer(in: vt) : nil
        let words = program.command(database: database?.directory ?? "")
        try await vt.call(["sessions", "create", session, "--size", size, "--"] + words).check()
        for line in (0..<Self.rounds).flatMap({ _ in program.lines }) {
            let options = ["--repl", program.rawValue, "--wait", "60s", "--timeout", "60s"]
            let result = try await vt.call(["sessions", "exec", session] + options + ["--", line.text]).run()
            let output = result.text.replacing(/((?:^\$|Out\[|In\[))[0-9]+/.anchorsMatchLineEndings()) { "\($0.1)#" }
            #expect((output, result.exit) == (line.output, line.exit), "\(line.text): \(result.errorText)")
        }
        try await database?.stop()
    }

    @Test(arguments: ReplProgram.allCases, ["80x24", "40x10"])
    func `the output is what is shown between a line and the prompt`(
        _ program: ReplProgram,
        size: String
    ) async throws {
        try await check(program, in: "s", size: size)
    }

    @Test(arguments: [ReplProgram.python, .ipython, .psql])
    func `lines are sent to programs on a server`(_ program: ReplProgram) async throws {
        try await check(program, in: "p:s", size: "80x24")
    }
}
