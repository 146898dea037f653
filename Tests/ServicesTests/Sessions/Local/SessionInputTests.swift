import Services
import Testing

@Suite struct SessionInputTests {
    private func text(_ input: SessionInput) -> String {
        String(decoding: input.bytes, as: UTF8.self)
    }

    @Test func `parts are sent in order`() {
        let input = SessionInput([.key([1]), .text(Array("ls".utf8)), .enter, .key([2])])
        #expect(text(input) == "\u{1}ls\r\u{2}")
    }

    @Test(arguments: [
        ("a\nb", "a\rb"), ("x\u{1b}[201~y", "xy"), ("\u{1b}[20\u{1b}[201~1~z", "z"), ("", ""),
        ("\u{1b}[200~", "\u{1b}[200~"),
    ])
    func `pasted text cannot end the bracketed paste`(pasted: String, expected: String) {
        let input = SessionInput([.text(Array(pasted.utf8)), .key([3])], isBracketed: true)
        #expect(text(input) == "\u{1b}[200~\(expected)\u{1b}[201~\u{3}")
    }
}
