import Services
import Testing

@Suite struct SessionInputTests {
    private func text(_ input: SessionInput) -> String {
        String(decoding: input.bytes, as: UTF8.self)
    }

    @Test func `text precedes keys, and keys precede enter`() {
        let input = SessionInput(text: Array("ls".utf8), keys: [[1], [2]], entersLine: true)
        #expect(text(input) == "ls\u{1}\u{2}\r")
    }

    @Test(arguments: [
        ("a\nb", "a\rb"), ("x\u{1b}[201~y", "xy"), ("\u{1b}[20\u{1b}[201~1~z", "z"), ("", ""),
        ("\u{1b}[200~", "\u{1b}[200~"),
    ])
    func `pasted text cannot end the bracketed paste`(pasted: String, expected: String) {
        let input = SessionInput(text: Array(pasted.utf8), isPaste: true, keys: [[3]])
        #expect(text(input) == "\u{1b}[200~\(expected)\u{1b}[201~\u{3}")
    }
}
