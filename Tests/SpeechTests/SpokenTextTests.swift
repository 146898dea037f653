import Core
import Speech
import Testing

struct SpokenTextTests {
    @Test(arguments: [
        (" List all files.\n", "List all files."), ("a\nb\r\nc\rd\u{2028}e", "a b c d e"), ("a\n\n b \t c", "a b c"),
        ("\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}x", "red x"), ("a\0b\u{7f}c\u{9b}31md\u{85}e", "abcd e"),
        ("l\u{200b}s\u{feff}\u{ad} \u{e0041}-\u{2060}l", "ls -l"), ("👩‍💻 ☀️", "👩‍💻 ☀️"),
        ("rm\u{202e}x\u{2066}y\u{200f}", "rmxy"), ("\u{1b}", ""), ("\u{1b}]0;open", ""), ("", ""), ("é 日本", "é 日本"),
    ])
    func `controls are removed, and line breaks become spaces`(_ text: String, _ clean: String) {
        #expect(SpokenText(text).text == clean)
    }

    @Test func `raw text keeps line breaks, but no controls`() {
        #expect(SpokenText("\na \r\n\u{1b}[1mb\u{7}\rc\n\n", keepsLines: true).text == "a\nb\nc")
    }

    @Test func `a long text is cut`() {
        let text = SpokenText(String(repeating: "é", count: SpokenText.limit + 1))
        #expect(text.isCut && text.text.count == SpokenText.limit)
        #expect(!SpokenText(text.text).isCut)
    }

    @Test(arguments: [
        ("a", true), ("7", true), ("日", true), ("(music) list", true), ("", false), ("... !", false),
        ("[BLANK_AUDIO]", false), ("(music) [noise (loud)]", false), (") a", true), ("(open", false),
    ])
    func `text in brackets is no speech`(_ text: String, _ isSpeech: Bool) {
        #expect(SpokenText(text).isSpeech == isSpeech)
    }

    @Test func `random text has no control afterward`() {
        var generator = SystemRandomNumberGenerator()
        for keepsLines in [false, true] {
            for _ in 0..<2000 {
                let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let clean = SpokenText(String(decoding: bytes, as: UTF8.self), keepsLines: keepsLines).text
                #expect(!clean.unicodeScalars.contains { $0.isUnsafeForTerminals && !(keepsLines && $0 == "\n") })
            }
        }
    }
}
