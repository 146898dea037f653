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
        let mixed = rows.filter { $0.contains(/[0-9] done/) || $0.contains("MiB/s") }
        #expect(mixed == [])
    }

    @Test func `the progress line is below the output, and disappears at the end`() async throws {
        let line = "echo one; until [ -e ~/go ]; do sleep 0.02; done; echo two"
        try await window.enter("cd; clear; vt exec --all --parallel 20 '\(line)'; echo st''atus $?")
        try await window.wait(for: "0/40 done, 20 running: s[1-20]")
        let rows = try await window.screen().split(separator: "\n")
        #expect(rows.count == 21)
        #expect(rows.dropLast().count { $0.wholeMatch(of: /s[0-9]+: one/) != nil } == 20)
        #expect(rows.last?.hasPrefix("0/40 done, 20 running: ") == true, "\(rows)")
        try await vt.check("exec", "local", "touch ~/go")
        try await window.wait(for: "status ")
        let end = try await window.screen().split(separator: "\n")
        let output = end.prefix { $0 != "status 0" }
        #expect(output.count == 80)
        #expect(output.allSatisfy { $0.wholeMatch(of: /s[0-9]+: (one|two)/) != nil }, "\(end)")
    }

    @Test(
        arguments: [
            ("vt exec", true), ("vt exec --json", true), ("vt -q exec", false), ("exec 2>~/log; vt exec", false),
            ("exec >~/log; vt exec", true),
        ]
    )
    func `progress is shown on a terminal on standard error only`(_ call: String, _ isShown: Bool) async throws {
        let run = "\(call) s1,s2 'echo out; sleep 0.9; exit 3'"
        let result = try await vt.bash("script -qec \"$1\" /dev/null </dev/null", run)
        #expect(result.text.contains("0/2 done, 2 running: s") == isShown, "\(result.text)")
        #expect(result.text.contains("\u{1b}[K") == isShown)
    }

    @Test(arguments: [("", true), ("--color never", false), ("--color always", true)])
    func `prefixes are dim, and failures red`(_ option: String, _ isColored: Bool) async throws {
        let run = "vt exec \(option) --parallel 1 s1,s2 'echo out; sleep 0.8; exit 3'"
        let result = try await vt.bash("TERM=xterm script -qec \"$1\" /dev/null </dev/null", run)
        let text = result.text.replacing("\r\n", with: "\n")
        func code(_ number: Int) -> String { isColored ? "\u{1b}[\(number)m" : "" }
        for part in [
            "\(code(2))s1:\(code(0)) out\n", "1/2 done, \(code(31))1 failed\(code(0)), 1 running: s2",
            "\(code(31))vt: s[1-2]: exit 3\(code(0))\n\(code(31))vt: 2 of 2 targets failed\(code(0))\n",
        ] { #expect(text.contains(part), "\(text.debugDescription)") }
        if !isColored { #expect(!text.contains(/\u{1b}\[[0-9;]*m/)) }
    }
}
