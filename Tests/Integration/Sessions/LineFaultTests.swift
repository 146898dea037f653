import Foundation
import TestSupport
import Testing

/// Lines in shells, when vt is killed or loses its connection.
@Suite(.crowded)
struct LineFaultTests {
    /// How often the file contains the word.
    private func count(_ word: String, in path: String) throws -> Int {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count { $0 == word }
    }

    /// A line that records its run, prints a word, and ends with status 3.
    private func line(_ word: String, _ file: String) -> String {
        "echo \(word) >>\(file); echo \(word); sh -c 'exit 3'"
    }

    @Test(arguments: ["bash", "zsh", "fish", "dash"])
    func `a line runs at most once if vt is killed at any system call`(_ shell: String) async throws {
        let vt = try Vt()
        try await vt.check("sessions", "create", "s", "--", shell)
        let ran = "\(vt.home)/ran"
        try Data().write(to: URL(filePath: ran))
        // A call after which vt is killed, until it does not make that many.
        for call in ["connect", "sendto", "recvfrom", "ppoll", "read", "write", "shutdown", "close", "exit_group"] {
            for number in 1... {
                let word = "\(call)-\(number)"
                let options = ["-f", "-qq", "-o", "/dev/null", "-e", "inject=\(call):signal=KILL:when=\(number)"]
                let words = [TestTree.vt, "sessions", "exec", "s", line(word, ran)]
                let traced = try await ProgramCall("/usr/bin/strace", options + words, environment: vt.environment)
                    .run()
                // The command may still be running.
                let next = try await vt.run("sessions", "exec", "s", "--wait", "30s", "echo next")
                #expect((next.text, next.exit) == ("next\n", 0), "\(word): \(next.errorText)")
                let runs = try count(word, in: ran)
                #expect(runs <= 1, "\(word)")
                guard traced.status != .signalled(SIGKILL) else { continue }
                #expect((traced.text, traced.exit, runs) == ("\(word)\n", 3, 1), "\(traced.errorText)")
                break
            }
        }
    }

    @Test func `a line runs once if the connection is lost at any packet`() async throws {
        let lab = try await Lab()
        let relay = try Relay(to: lab.server.port)
        try await lab.addProfile("r", port: relay.port)
        try await lab.meet("r")
        try lab.linkVt()
        try await lab.vt.check("sessions", "create", "r:s", "--", "bash")
        let ran = "\(lab.server.home)/ran"
        try Data().write(to: URL(filePath: ran))
        for number in 0... {
            relay.cut(afterChunks: number)
            let result = try await lab.vt.run("sessions", "exec", "r:s", line("\(number)", ran))
            let isLast = relay.willCut
            relay.cancelCut()
            let next = try await lab.vt.run("sessions", "exec", "r:s", "--wait", "30s", "echo next")
            #expect((next.text, next.exit) == ("next\n", 0), "\(number): \(next.errorText)")
            let runs = try count("\(number)", in: ran)
            // vt does not reconnect before it has been connected once.
            if result.exit == 255 {
                let isKnown = !result.errorText.contains("the line may have run")
                #expect(runs == 0 || runs == 1 && !isKnown, "\(number): \(result.errorText)")
            } else {
                #expect((result.text, result.exit, runs) == ("\(number)\n", 3, 1), "\(result.errorText)")
            }
            if isLast { break }
        }
    }
}
