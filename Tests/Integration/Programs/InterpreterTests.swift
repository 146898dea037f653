import Foundation
import TestSupport
import Testing

/// Interpreters that read lines with an editor: Python and Node.js.
@Suite(.crowded)
struct InterpreterTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    @Test func `python3 defines a function, shows a traceback, hides a password and is interrupted`() async {
        let prompt = "^>>> $"
        await DrivenProgram.rounds("python3") { session in
            let python = try await DrivenProgram(session, in: vt, "python3", "-q")
            try await python.wait(for: prompt)
            try await python.send(
                "def area(w, h):",
                "--enter",
                "    return w * h",
                "--enter",
                "--enter",
                until: prompt
            )
            let area = try await python.send("area(6, 7)", "--enter", until: prompt)
            try #require(area == "42\n>>> ")
            let traceback = try await python.send("area(6)", "--enter", until: prompt)
            try #require(traceback.hasPrefix("Traceback (most recent call last):\n"))
            try #require(traceback.hasSuffix("argument: 'h'\n>>> "))
            try await python.send("from getpass import getpass; p = getpass()", "--enter", until: "^Password: $")
            let hidden = try await python.send("secret", "--enter", until: prompt)
            try #require(hidden == "\n>>> ")
            try await python.send("print('started'); import time; time.sleep(1000)", "--enter", until: "^started$")
            let interrupted = try await python.send("--key", "C-c", until: prompt)
            try #require(interrupted.hasSuffix("KeyboardInterrupt\n>>> "))
            try #require(try await python.send("p[::-1]", "--enter", until: prompt) == "'terces'\n>>> ")
            try #require(try await python.end("raise SystemExit(7)", "--enter") == 7)
        }
    }

    @Test func `node defines a function, completes a name, waits for a promise and is interrupted`() async {
        let prompt = "^> $"
        await DrivenProgram.rounds("node") { session in
            let node = try await DrivenProgram(session, in: vt, "node")
            try await node.wait(for: prompt)
            try await node.send(
                "const f = (x) => {",
                "--enter",
                "return x * 2",
                "--enter",
                "}",
                "--enter",
                until: prompt
            )
            try #require(try await node.send("f(21)", "--enter", until: prompt) == "42\n> ")
            let failed = try await node.send("f(y)", "--enter", until: prompt)
            try #require(failed == "Uncaught ReferenceError: y is not defined\n> ")
            let promise = "await new Promise((done) => setTimeout(() => done('later'), 50))"
            try #require(try await node.send(promise, "--enter", until: prompt) == "'later'\n> ")
            try await node.send("'ab'.toUpper", "--key", "Tab", until: "^Case$")
            // Node may have shown the result before the line is complete, too.
            try #require(try await node.send("()", "--enter", until: prompt).hasSuffix("'AB'\n> "))
            try await node.send("console.log('started'); for (;;);", "--enter", until: "^started$")
            let interrupted = try await node.send("--key", "C-c", until: prompt)
            try #require(interrupted.contains("interrupted by `SIGINT`"))
            try #require(try await node.end("process.exit(9)", "--enter") == 9)
        }
    }
}
