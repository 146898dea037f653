@testable import Commands
import Core
import Services
import Terminal
import Testing

/// The files of `vt record --script`.
@Suite struct RecordScriptTests {
    private static func parse(_ text: String) throws(VTError) -> RecordScript {
        try RecordScript(Array(text.utf8), name: "demo.txt")
    }

    @Test func `a step is a line, and comments and empty lines are ignored`() throws {
        let text = """
            # comment
            send  two words \r

            key C-c  Up\t
              exec ls -l | wc
            sleep 1.5s
            mark a b
            mark
            """
        let steps = try Self.parse(text).steps
        #expect(steps.map(\.place) == [2, 4, 5, 6, 7, 8].map { "demo.txt:\($0)" })
        let keys = try ["C-c", "Up"].map { try Key(parsing: $0) }
        #expect(
            steps.map { "\($0.action)" } == [
                #"send(" two words ")"#, "keys(\(keys))", #"execute("ls -l | wc")"#, "pause(1.5 seconds)",
                #"mark(Core.MarkerLabel(text: "a b"))"#, #"mark(Core.MarkerLabel(text: ""))"#,
            ]
        )
        #expect(try Self.parse("").steps.isEmpty)
    }

    @Test(arguments: [
        ("a+b (x) [$^]", "a+b (x) [$^]", true), ("a+b", "aab", false), ("a.c", "abc", false),
        ("\\d{1}|", "\\d{1}|", true), ("--match a+b", "aab", true), ("--match  x ", " x ", true),
    ])
    func `a wait has a text or an expression`(condition: String, line: String, matches: Bool) throws {
        let step = try #require(try Self.parse("wait \(condition)").steps.first)
        guard case .wait(.match(let pattern, _, false)) = step.action else {
            Issue.record("\(step.action)")
            return
        }
        #expect((pattern.firstMatch(in: Array(line.utf8)) != nil) == matches)
    }

    @Test func `a wait can have another condition`() throws {
        let lines = ["--prompt", "--idle 2s", "--exit", "--screen a b", "--no-screen c", "--title d"]
        let steps = try Self.parse(lines.map { "wait \($0)" }.joined(separator: "\n")).steps
        #expect(
            steps.map { step -> WaitCondition.Kind? in if case .wait(let wait) = step.action { wait.kind } else { nil }
            }
                == [.prompt, .idle, .exit, .screen, .noScreen, .title]
        )
    }

    @Test(arguments: [
        ("fly", "unknown step 'fly'"), ("send", "missing TEXT"), ("exec  ", "missing LINE"), ("key", "missing KEY"),
        ("key Up F99", "unknown key 'F99'"), ("wait", "missing TEXT"), ("wait --match", "missing EXPRESSION"),
        ("wait --prompt now", "invalid condition '--prompt now'"), ("wait --fail", "invalid condition '--fail'"),
        ("wait --match (", "invalid regular expression '(': unmatched ( or \\("),
        ("mark a\u{1B}", "the label 'a\\x1b' contains control characters"),
        ("mark \(String(repeating: "a", count: 257))", "the label is longer than 256 bytes"),
        ("send \0", "the line is not valid UTF-8, or contains a NUL byte"),
    ])
    func `an invalid step is reported with its line`(line: String, message: String) {
        let error = #expect(throws: VTError.self) { try Self.parse("exec true\n\(line)") }
        #expect(error?.code == .dataInvalid)
        #expect(error?.message == "demo.txt:2: \(message)")
    }

    @Test func `the pauses of typing differ, and are the same in each run`() {
        var (one, other) = (TypingRhythm(mean: .milliseconds(60)), TypingRhythm(mean: .milliseconds(60)))
        let pauses = (0..<1000).map { _ in one.pause() }
        #expect(pauses == (0..<1000).map { _ in other.pause() })
        #expect(pauses.allSatisfy { (.milliseconds(30)...(.milliseconds(90))).contains($0) })
        #expect(Set(pauses).count > 500)
        let mean = pauses.reduce(.zero, +) / 1000
        #expect((.milliseconds(57)...(.milliseconds(63))).contains(mean))
    }
}
