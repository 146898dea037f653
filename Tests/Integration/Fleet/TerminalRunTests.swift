import Foundation
import TestSupport
import Testing

/// What a terminal shows of a run on many targets.
@Suite(.crowded)
struct TerminalRunTests {
    /// A window, and the environment of a vt with 40 servers that need no SSH, `s1` to `s40`.
    private let vt: Vt
    private let window: TerminalWindow

    init() async throws {
        vt = try Vt()
        let adding = "for number in $(seq 40); do vt profile add s$number --via env || exit; done"
        try #require(try await vt.bash(adding).status == .exited(0))
        window = try await TerminalWindow(columns: 120, rows: 150, environment: vt.environment)
    }

    /// Runs a line in the window, and returns the lines on its screen.
    private func lines(of call: String) async throws -> [Substring] {
        try await window.enter("cd; clear; \(call); echo st''atus $?")
        try await window.wait(for: "status ")
        return try await window.screen().split(separator: "\n")
    }

    /// Half of the targets finish after the others, and only then does the progress line appear.
    private static let slow = "--parallel 20 'sleep 0.8; echo done'"

    @Test func `the progress line makes room for gathered output`() async throws {
        let shown = try await lines(of: "vt exec --all --gather \(Self.slow)").joined()
        #expect(shown == "--- s[1-40] (40)donestatus 0$")
    }

    @Test(
        arguments: [
            "vt exec --all --gather --json \(slow)",
            "vt exec --all --output-dir out \(slow)",
            "vt exec --all --parallel 20 'sleep 0.8; echo failed >&2; exit 3' >out",
            "vt exec --all --json --parallel 20 'sleep 0.8; exit 3'",
            "vt exec --all --parallel 20 -- sh -c 'sleep 0.8; kill $$'",
            "head -c 4000000 /dev/zero >zero; vt copy --all --json --parallel 1 zero :/dev/full",
            "head -c 4000000 /dev/zero >zero; vt copy --all --json --parallel 1 zero :\"$HOME\"/zero",
            "head -c 4000000 /dev/zero >zero; vt copy --all --parallel 1 zero missing :\"$HOME\"/",
        ]
    )
    func `nothing shares a row with the progress line`(_ call: String) async throws {
        let rows = try await lines(of: call)
        let mixed = rows.filter { $0.contains("targets finished") || $0.contains("MiB/s") }
        #expect(mixed == [])
    }
}
