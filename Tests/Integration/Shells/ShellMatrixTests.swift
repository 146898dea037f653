import Foundation
import TestSupport
import Testing

/// Many lines in the shells of sessions, for each of many configurations of the shells.
@Suite(.crowded)
struct ShellMatrixTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    struct Setup: Sendable, CustomTestStringConvertible {
        let shell: TestShell
        let configuration: ShellConfiguration

        var testDescription: String { "\(shell.testDescription): \(configuration.name)" }
    }

    /// All configurations if `VT_TEST_ROUNDS` is set, otherwise three of five, because all take minutes.
    static let setups = TestShell.all.flatMap { shell in
        let isWhole = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"] != nil
        return ShellConfiguration.all(for: shell.family).enumerated().filter { isWhole || $0.offset % 5 < 3 }
            .map { Setup(shell: shell, configuration: $0.element) }
    }

    @Test(arguments: setups)
    func `lines have their output and status in every configuration`(_ setup: Setup) async throws {
        let (shell, configuration) = (setup.shell, setup.configuration)
        try await shell.start("s", configuration, with: vt)
        var count = 0
        for line in ShellLines.of(shell.family) where configuration.permits(line) {
            count += 1
            let words = ["sessions", "exec", "s", "--raw", "--wait", "60s"]
            let result =
                if let text = String(validating: line.text, as: UTF8.self) {
                    try await vt.call(words + ["--", text]).run()
                } else {
                    try await vt.call(words + ["--stdin-line"]).run(input: line.text)
                }
            let output = result.text.replacingOccurrences(of: "\r\n", with: "\n")
            #expect(
                line.accepts(configuration.withoutNoise(output), result.exit) && result.errors.isEmpty,
                """
                \(line.start): \(output.suffix(300).debugDescription) and \(result.exit ?? -1), not \(line.expectation)
                \(result.errorText)
                """
            )
            // Neither a trace nor a trap shows the hook.
            #expect(!output.contains("__vt_"), "\(line.start): \(result.text)")
            // The lines after one without an end would fail, too.
            guard result.errors.isEmpty else { break }
        }
        try await vt.check("sessions", "wait", "s", "--prompt")
        let session = try await vt.run("sessions", "show", "s", "--json").json()
        let status = try #require(session["shell"] as? [String: Any])
        #expect(status["state"] as? String == "prompt")
        #expect(status["turn"] as? Int == count)
        let log = try await vt.run("sessions", "logs", "s").text
        let tokens = log.matches(of: #/\e\]133;([0-9a-f]{32})/#).map { String($0.1) }
        #expect(tokens.allSatisfy { $0 == ShellLines.wrongToken })
        // What a trap prints before the line begins moves what the hook would erase.
        guard configuration.noise == nil else { return }
        #expect(try await !vt.check("sessions", "screen", "s").contains("__vt_"))
    }
}

extension ShellConfiguration {
    /// Whether the line means the same in this configuration, and leaves the shell running.
    fileprivate func permits(_ line: ShellLine) -> Bool {
        if endsOnFailure, line.statuses != 0...0 { return false }
        return skipped.map { line.start.range(of: $0, options: .regularExpression) == nil } ?? true
    }

    fileprivate func withoutNoise(_ output: String) -> String {
        // fish 4 reports its directory to the terminal (OSC 7).
        let pattern = "\u{1B}\\]7;[^\u{07}]*\u{07}" + (noise.map { "|\($0)" } ?? "")
        return output.replacingOccurrences(of: pattern, with: "", options: .regularExpression)
    }
}
