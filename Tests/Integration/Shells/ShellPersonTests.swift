import Foundation
import TestSupport
import Testing

/// Lines in a shell in which a person is typing, in an attached terminal.
@Suite(.crowded)
struct ShellPersonTests {
    private let vt: Vt

    /// The number of lines in each shell; more take longer than a run of all tests should.
    private static let rounds = ProcessInfo.processInfo.environment["VT_TEST_ROUNDS"].flatMap { Int($0) } ?? 30

    init() throws {
        vt = try Vt()
    }

    @Test(arguments: TestShell.all)
    func `a person who types, pastes and interrupts never changes the result of a line`(
        _ shell: TestShell
    ) async throws {
        for session in ["first", "second", "third"] {
            if try await hasSurvivedPerson(shell, session) { return }
        }
        Issue.record("\(shell) has ended three times")
    }

    /// Types in a session while lines are run in it; false if the shell has ended.
    ///
    /// bash 5.2 ends if ^C comes just when it has started a program, in any terminal: it reads at its prompt while the
    /// program has the terminal, and takes the error (EIO) for the end of its input.
    private func hasSurvivedPerson(_ shell: TestShell, _ session: String) async throws -> Bool {
        let prompt = shell.family == .fish ? "function fish_prompt; echo 'ready> '; end" : "PS1='ready> '"
        try await shell.start(session, ShellConfiguration("person", prompt), with: vt)
        let window = try await TerminalWindow(columns: 100, rows: 30, environment: vt.environment)
        try await window.enter("clear; vt attach \(session)")
        try await window.wait(for: "ready>")
        let record = "runs-\(session)"
        let complete = try await runLines(in: session, record, besides: window)
        // The shell can miss ^C while its line editor runs a function, as a person notices; and ^C can arrive after the
        // line has started.
        func end() async throws -> ProgramResult {
            try await window.press("C-c")
            return try await vt.run("sessions", "exec", session, "--wait", "20s", "echo end")
        }
        var last = try await end()
        for _ in 0..<2 where last.exit == 130 || last.errorText.contains("incomplete line") { last = try await end() }
        let file = try? String(contentsOfFile: "\(vt.home)/\(record)", encoding: .utf8)
        let runs = (file ?? "").split(separator: "\n").compactMap { Int($0) }
        #expect(Set(runs).count == runs.count, "a line was run twice")
        #expect(complete.isSubset(of: runs))
        if shell.family == .bash, try await hasEndedByInterrupt(session) { return false }
        #expect(complete.count * 2 >= Self.rounds)
        #expect(last.text.hasSuffix("end\n") && last.exit == 0, "\(last)")
        return true
    }

    private func hasEndedByInterrupt(_ session: String) async throws -> Bool {
        let document = try await vt.run("sessions", "show", session, "--json").json()
        guard document["state"] as? String == "ended" else { return false }
        let log = try await vt.check("sessions", "logs", session, "--plain")
        #expect((document["exit"] as? [String: Any])?["code"] as? Int == 130)
        #expect(log.contains("\nexit\n"), "\(log.suffix(500))")
        return true
    }

    /// Runs numbered lines, checks their results, and returns the numbers of those that have ended by themselves.
    private func runLines(in session: String, _ record: String, besides window: TerminalWindow) async throws -> Set<Int>
    {
        var complete: Set<Int> = []
        var generator = SeededGenerator(seed: 7)
        for number in 0..<Self.rounds {
            let expected = number % 100 + 2
            let line = "echo \(number) >>~/\(record); echo out-\(number)-; sh -c 'exit \(expected)'"
            async let running = vt.run("sessions", "exec", session, "--json", "--raw", "--wait", "5s", "--", line)
            for _ in 0...generator.next(3) { try await Self.act(in: window, &generator) }
            let result = try await running
            guard result.exit != 255 else {
                // The shell was busy, or ^C came before the line started or hid how it ended.
                let code = try #require(try result.jsonError()["code"] as? String)
                if code == "ended" { return complete }
                #expect(["busy", "negative"].contains(code), "\(result.errorText)")
                continue
            }
            let document = try result.json()
            let outcome = document["outcome"] as? String ?? ""
            let status = (document["exit"] as? [String: Any])?["code"] as? Int
            let output = document["output"] as? String ?? ""
            // The terminal shows what is typed during the command, but not what a typed line prints.
            let foreign = ["typed", "pasted"] + (0..<number).map { "out-\($0)-" }
            #expect(!foreign.contains { output.contains($0) }, "\(number): \(output)")
            switch (outcome, status) {
            case ("exit", expected):
                // ^C makes a terminal discard output that has not been read.
                #expect(output.contains("out-\(number)-\r\n") || output.contains("^C"), "\(number): \(output)")
                complete.insert(number)
            case ("exit", 130): continue
            case ("session-ended", 130): return complete
            default: Issue.record("\(number): \(result.text)")
            }
        }
        return complete
    }

    private static func act(in window: TerminalWindow, _ generator: inout SeededGenerator) async throws {
        switch generator.next(8) {
        case 0, 1: try await window.press("C-c")
        case 2: try await window.enter("echo ty''ped")
        case 3: try await window.type("abc def")
        case 4: try await window.press("C-u")
        case 5: try await window.paste("echo pas''ted\necho pas''ted too\n")
        case 6: try await window.press("Enter")
        default:
            try await window.enter("echo \"open")
            try await window.press("C-c")
        }
    }
}
