import Terminal
import Testing

struct TypedTextTests {
    private func text(_ output: String, after prompt: String = "$ ", columns: Int = 20) -> String? {
        TypedText.render(Array(output.utf8), after: Array(prompt.utf8), columns: columns)
    }

    @Test func `typed text is what is shown between the prompt and the output`() {
        #expect(text("ls -l\r\n") == "ls -l")
        #expect(text("lx\u{8} \u{8}s\r\n") == "ls")
        #expect(text("é日本\r\n", after: "\u{1B}[1muser\u{1B}[0m:~$ ") == "é日本")
        #expect(text("ls", after: "one\r\ntwo $ ") == "ls")
        #expect(text("\r\n") == nil)
        #expect(text("") == nil)
    }

    @Test func `wrapped rows are joined, and lines are kept`() {
        let long = String(repeating: "0123456789", count: 7)
        #expect(text("\(long)\r\n") == long)
        #expect(text("for i in 1; do\r\n> echo\r\n> done\r\n") == "for i in 1; do\n> echo\n> done")
    }
}
