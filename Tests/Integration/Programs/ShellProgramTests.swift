import Foundation
import TestSupport
import Testing

/// Shells that keep their state between lines, ask for a password, and are interrupted.
@Suite(.crowded)
struct ShellProgramTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// What differs between the shells.
    struct Dialect: Sendable, CustomTestStringConvertible {
        let shell: String
        /// Defines the function `twice`.
        let function: String
        /// Sets the variable `word` to `hello`.
        let assignment: String
        /// Reads a password, and prints its length.
        let question: String

        var testDescription: String { shell }
    }

    static let dialects = [
        Dialect(
            shell: "bash",
            function: "twice() {\n  echo $1 $1\n}",
            assignment: "word=hello",
            question: "read -rsp 'Password: ' p; echo; echo length ${#p}"
        ),
        Dialect(
            shell: "zsh",
            function: "twice() {\n  echo $1 $1\n}",
            assignment: "word=hello",
            question: "read -rs 'p?Password: '; echo; echo length ${#p}"
        ),
        Dialect(
            shell: "fish",
            function: "function twice\n  echo $argv[1] $argv[1]\nend",
            assignment: "set word hello",
            question: "read -s -P 'Password: ' p; echo length (string length -- $p)"
        ),
    ]

    @Test(arguments: dialects)
    func `a shell keeps its state, asks for a password and is interrupted`(_ dialect: Dialect) async {
        await DrivenProgram.rounds(dialect.shell) { session in
            let shell = try await DrivenProgram(session, in: vt, dialect.shell)
            for line in [dialect.function, dialect.assignment, "cd /usr"] {
                let result = try await shell.exec(line)
                try #require((result.text, result.exit) == ("", 0))
            }
            let state = try await shell.exec("pwd; twice $word; sh -c 'exit 3'")
            try #require((state.text, state.exit) == ("/usr\nhello hello\n", 3))

            async let asking = shell.exec(dialect.question)
            try await shell.wait(for: "^Password: $")
            try await shell.send("secret", "--enter", until: "^length 6$")
            let asked = try await asking
            try #require(asked.text.hasSuffix("\nlength 6\n") && asked.exit == 0)
            try #require(!asked.text.contains("secret"))

            async let running = shell.exec("echo started; sleep 1000")
            try await shell.wait(for: "^started$")
            try await shell.send("--key", "C-c", until: "\\^C")
            let interrupted = try await running
            try #require(interrupted.text.hasPrefix("started\n") && interrupted.exit == 130)
            try #require(try await shell.exec("twice done").text == "done done\n")
            try #require(try await shell.exec("exit 4").exit == 4)
        }
    }
}
