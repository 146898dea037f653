import Core
import Testing

struct PromptTests {
    @Test func `keeps lines and tabs of a server's text, and escapes other control characters`() {
        let text = "Code\r\n\t1. \u{1b}]0;x\u{7}\u{9b}31m\u{202e}e\u{301}: "
        #expect(Prompt.cleaned(Array(text.utf8)) == "Code\n\t1. \\x1b]0;x\\x07\\x9b31m\\u{202e}e\u{301}: ")
    }

    @Test func `truncates a server's text`() {
        #expect(Prompt.cleaned(Array(repeating: UInt8(ascii: "x"), count: 100_000)).utf8.count == 8192)
    }
}
