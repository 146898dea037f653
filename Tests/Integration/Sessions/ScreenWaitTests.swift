import Foundation
import TestSupport
import Testing

/// `vt sessions wait` for what the screen shows, on this machine and a server.
@Suite(.crowded)
struct ScreenWaitTests {
    private let lab: Lab
    private var vt: Vt { lab.vt }

    init() async throws {
        lab = try await Lab.withVt()
    }

    /// Creates a session that writes each line that it reads, with the escapes of printf.
    private func create(_ name: String, _ size: String = "40x5") async throws {
        let script = "stty -echo; printf '\\033]2;start\\a'; while read -r line; do printf \"$line\"; done"
        try await vt.check("sessions", "create", name, "--size", size, "--", "sh", "-c", script)
        #expect(try await wait(name, "--title", "start").text == "10 start\n")
    }

    private func show(_ output: String, in session: String) async throws {
        try await vt.check("sessions", "send", session, "--text", output, "--enter")
    }

    /// Lets a command that has been started begin to wait; the result is the same if the screen changes first.
    private func pause() async throws {
        try await Task.sleep(for: .milliseconds(200))
    }

    private func wait(_ session: String, _ options: String...) async throws -> ProgramResult {
        try await vt.call(["sessions", "wait", session, "--timeout", "60s"] + options).run()
    }

    @Test(arguments: ["s", "p:s"])
    func `waits until a text is on the screen, and until it is gone`(session: String) async throws {
        try await create(session)
        try await show("one\\r\\n  Loading", in: session)
        #expect(try await wait(session, "--screen", "Load").text == "25 2,1   Loading\n")
        let found = try await wait(session, "--screen", "[Ll]oad.*$", "--regex", "--json").json()
        #expect(found["condition"] as? String == "screen")
        #expect(["row", "column", "width"].map { found[$0] as? Int } == [1, 2, 7])
        #expect(["text", "line", "expression"].map { found[$0] as? String } == ["Loading", "  Loading", "[Ll]oad.*$"])
        async let gone = wait(session, "--no-screen", "LOADING", "-i")
        async let ready = wait(session, "--screen", "ready", "--fail-match", "never", "--exit")
        try await pause()
        try await show("\\r\\033[Kready\\033]2;The title\\a", in: session)
        #expect(try await gone.text == "48\n")
        #expect(try await ready.text == "screen 48 0,1 ready\n")
        #expect(try await wait(session, "--title", "title").text == "48 The title\n")
        let title = try await wait(session, "--title", "^The", "--regex", "--json").json()
        #expect(["text", "line"].map { title[$0] as? String } == ["The", "The title"])
        #expect(title["row"] == nil)
    }

    @Test func `finds wrapped rows and, if requested, rows above the screen`() async throws {
        try await create("s", "10x2")
        try await show("12345\\r\\n6789abcdefghij\\r\\nend", in: "s")
        #expect(try await wait("s", "--screen", "end").text == "38 0,1 end\n")
        #expect(try await wait("s", "--screen", "345", "--scrollback", "5").text == "38 2,-2 12345\n")
        #expect(try await wait("s", "--screen", "def", "--scrollback", "5").text == "38 7,-1 6789abcdefghij\n")
        #expect(
            try await vt.call(["sessions", "wait", "s", "--screen", "345", "--timeout", "100ms"]).run().exit == 124
        )
    }

    @Test(arguments: ["s", "p:s"])
    func `a condition counts when the screen has settled`(session: String) async throws {
        let script = "i=0; while [ $i -lt 12 ]; do i=$((i+1)); printf '\\rstep %d ' $i; sleep 0.1; done; read line"
        try await vt.check("sessions", "create", session, "--", "sh", "-c", script)
        for condition in [["--screen", "step"], ["--match", "step 1", "--from", "0"], ["--no-screen", "never"]] {
            let options = condition + ["--settle", "700ms", "--timeout", "60s"]
            try await vt.call(["sessions", "wait", session] + options).check()
            #expect(try await vt.check("sessions", "screen", session) == "step 12\n")
        }
        // A failure is reported at once.
        let failed = try await wait(
            session,
            "--screen",
            "step",
            "--settle",
            "60s",
            "--fail-match",
            "step",
            "--from",
            "0"
        )
        #expect(failed.exit == 1)
    }

    @Test func `a prompt counts when the screen has settled`() async throws {
        try await vt.check("sessions", "create", "s", "--", "bash")
        let result = try await vt.call(
            ["sessions", "send", "s", "(sleep 0.3; echo late) & sleep 0.1", "--enter", "--wait", "prompt"]
                + ["--settle", "1s", "--timeout", "60s"]
        ).run()
        #expect(result.exit == 0, "\(result.errorText)")
        #expect(try await vt.check("sessions", "screen", "s").contains("late"))
    }

    @Test func `a synchronized update is shown when it ends, or after a second`() async throws {
        try await create("s")
        try await show("old", in: "s")
        try await vt.check("sessions", "wait", "s", "--screen", "old", "--timeout", "60s")
        async let part = vt.call(["sessions", "wait", "s", "--screen", "part", "--timeout", "400ms"]).run()
        try await pause()
        try await show("\\033[?2026h\\rpart", in: "s")
        #expect(try await part.exit == 124)
        try await show("\\rnew \\033[?2026l", in: "s")
        #expect(try await wait("s", "--screen", "new").exit == 0)
        async let open = wait("s", "--screen", "open", "--settle", "100ms", "--json")
        try await pause()
        try await show("\\033[?2026h\\ropen", in: "s")
        let elapsed = try #require(try await open.json()["elapsed_ms"] as? Int)
        #expect(elapsed >= 1000)
    }

    @Test func `a synchronized update that is open at the end of the session is shown`() async throws {
        try await vt.check("sessions", "create", "s", "--", "sh", "-c", "read x; printf 'old\\033[?2026h\\rnew'")
        async let shown = wait("s", "--screen", "new")
        try await pause()
        try await vt.check("sessions", "send", "s", "--enter")
        let result = try await shown
        #expect(result.exit == 0, "\(result.errorText)")
    }

    @Test func `several conditions can have to be met at the same time`() async throws {
        try await create("s")
        try await show("a", in: "s")
        async let both = wait("s", "--screen", "b", "--no-screen", "a", "--idle", "300ms", "--together", "--json")
        try await pause()
        try await show("b", in: "s")
        // Both texts are shown for longer than the silence.
        try await Task.sleep(for: .milliseconds(500))
        try await show("\\r  b", in: "s")
        let result = try await both.json()
        #expect(result["condition"] as? String == "together")
        #expect(result["column"] as? Int == 2)
        let late = try await vt.call(
            ["sessions", "wait", "s", "--screen", "b", "--screen", "c", "--together", "--timeout", "100ms"]
        ).run()
        #expect(late.exit == 124 && late.errorText.contains("at the same time"))
    }

    @Test(arguments: ["s", "p:s"])
    func `the screen of an ended session is final`(session: String) async throws {
        try await vt.check("sessions", "create", session, "--", "sh", "-c", "printf done; exit 3")
        #expect(try await wait(session, "--exit").exit == 3)
        #expect(try await wait(session, "--screen", "done", "--settle", "10s").text == "4 0,0 done\n")
        let never = try await wait(session, "--screen", "x", "--title", "y")
        #expect(never.exit == 1)
        #expect(never.errorText.contains("the screen did not show 'x', and the title did not contain 'y'"))
        let shown = try await wait(session, "--no-screen", "done", "--exit")
        #expect(shown.exit == 3)
    }

    @Test func `send waits for the screen`() async throws {
        try await create("s")
        for (output, options, expected) in [
            ("x.y", ["--wait", "screen=x.y"], "13 0,0 x.y\n"),
            ("\\rabc", ["--wait", "no-screen=x.", "--regex"], "17\n"),
            ("\\033]2;aT\\a", ["--wait", "title=T", "--settle", "100ms"], "24 aT\n"),
        ] {
            let words = ["sessions", "send", "s", output, "--enter", "--timeout", "60s"]
            let result = try await vt.call(words + options).run()
            #expect(result.text == expected, "\(result.errorText)")
        }
    }

    @Test(arguments: [
        ["--regex", "--match", "x"], ["--settle", "1s", "--idle", "1s"],
        ["--together", "--screen", "x", "--prompt"], ["--together", "--idle", "1s"],
        ["--scrollback", "5", "--title", "x"],
        ["--screen", ""], ["--screen", "(", "--regex"], ["--screen", "x", "--from", "0"], ["--title", "[", "--regex"],
    ])
    func `options that do not fit are an error`(_ options: [String]) async throws {
        let result = try await vt.call(["sessions", "wait", "s"] + options).run()
        #expect(result.exit == 64, "\(result.errorText)")
    }
}
