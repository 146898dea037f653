import Core
import Testing

@testable import Services

struct AnswerFilterTests {
    private static let answers =
        "\u{1B}]10;rgb:cccc/dddd/eeee\u{1B}\\\u{1B}]11;rgb:1111/2222/3333\u{7}\u{1B}]4;1;rgb:aa/bb/cc\u{1B}\\"
        + "\u{1B}]12;rgba:1/2/3/4\u{7}\u{1B}[?62;22c"

    @Test func `removes replies from the input, wherever it is split`() throws {
        let bytes = Array("ab\u{1B}[A\(Self.answers)é\u{1B}OP".utf8)
        for cut in 0...bytes.count {
            var filter = AnswerFilter()
            _ = filter.startQueries()
            let typed = filter.filter(Array(bytes[..<cut])) + filter.filter(Array(bytes[cut...])) + filter.giveUp()
            #expect(String(decoding: typed, as: UTF8.self) == "ab\u{1B}[Aé\u{1B}OP", "cut at \(cut)")
            #expect(!filter.isWaiting)
            #expect(filter.colors[.foreground] == 0xCCDDEE)
            #expect(filter.colors[.background] == 0x112233)
            #expect(filter.colors[.cursor] == 0x112233)
            #expect(filter.colors[try #require(.palette(1))] == 0xAABBCC)
        }
    }

    @Test(arguments: [
        "\u{1B}", "\u{1B}[", "\u{1B}]", "\u{1B}]x", "\u{1B}P", "\u{1B}[A", "\u{1B}[1;5R", "\u{1B}[97;5u",
        "\u{1B}[<0;3;4M", "\u{1B}[<0;3;4m",
        "\u{1B}[I", "\u{1B}[?997;1n", "\u{1B}[200~\u{1B}[?62c\u{1B}]11;rgb:1/2/3\u{7}\u{1B}[201~", "\u{1B}[27;5;93~",
        "\u{1B}[3~",
    ])
    func `forwards keys, mouse events and pasted text`(_ text: String) {
        var idle = AnswerFilter()
        #expect(String(decoding: idle.filter(Array(text.utf8)), as: UTF8.self) == text)
        var waiting = AnswerFilter()
        _ = waiting.startQueries()
        #expect(String(decoding: waiting.filter(Array(text.utf8)) + waiting.giveUp(), as: UTF8.self) == text)
    }

    @Test(arguments: [
        "\u{1B}[?62;22c", "\u{1B}[>41;380;0c", "\u{1B}[0n", "\u{1B}[?1;1R", "\u{1B}[?2026;2$y", "\u{1B}[?1u",
        "\u{1B}[48;24;80;0;0t",
        "\u{1B}P>|xterm(380)\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}]11;rgb:1/2/3\u{7}",
    ])
    func `drops late replies`(_ answer: String) {
        var filter = AnswerFilter()
        #expect(String(decoding: filter.filter(Array("a\(answer)b".utf8)), as: UTF8.self) == "ab")
    }
}
