import Foundation
import TestSupport
import Testing

/// A program in a session, driven with the commands that a script would use.
struct DrivenProgram {
    private let vt: Vt
    private let name: String

    /// Starts a command in the home directory of `vt`.
    init(_ name: String, in vt: Vt, options: [String] = [], _ command: String...) async throws {
        self.vt = vt
        self.name = name
        try await vt.call(["sessions", "create", name, "--cwd", vt.home] + options + ["--"] + command).check()
    }

    /// Runs a scenario once, or `VT_TEST_ROUNDS` times, and reports each round that fails.
    ///
    /// The scenario receives a name for the session of the round.
    static func rounds(_ program: String, _ scenario: (_ session: String) async throws -> Void) async {
        let count = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? 1
        for round in 1...count {
            do {
                try await scenario("\(program)-\(round)")
            } catch {
                Issue.record("\(program), round \(round) of \(count): \(error)")
            }
        }
    }

    /// Waits for a line that matches in the output since the last input, or from the start.
    func wait(for expression: String) async throws {
        try await vt.call(["sessions", "wait", name, "--match", expression] + Self.limit).check()
    }

    /// Sends text and keys, given as in `vt sessions send`, and returns what the program prints until a line matches.
    @discardableResult
    func send(_ words: String..., until expression: String) async throws -> String {
        let condition = ["--wait", "match=\(expression)", "--print"] + Self.limit
        return try await vt.call(["sessions", "send", name] + words + condition).check()
    }

    /// Sends text and keys that end the program, and returns its exit status.
    func end(_ words: String...) async throws -> Int32? {
        let condition = ["--wait", "exit"] + Self.limit
        return try await vt.call(["sessions", "send", name] + words + condition).run().exit
    }

    /// Runs a line in the shell of the session.
    func exec(_ line: String, _ options: String...) async throws -> ProgramResult {
        try await vt.call(["sessions", "exec", name, "--wait", "120s"] + options + ["--", line]).run()
    }

    /// The rows of the screen, without trailing spaces.
    func screen() async throws -> [Substring] {
        try await vt.check("sessions", "screen", name).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static let limit = ["--timeout", "120s"]
}
