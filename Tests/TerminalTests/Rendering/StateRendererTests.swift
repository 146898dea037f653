import Core
import Terminal
import Testing

struct StateRendererTests {
    private static func restored(_ emulator: Emulator, scrollback: Int = 0) -> Emulator {
        var copy = Emulator(size: emulator.size)
        copy.feed(StateRenderer.render(emulator, scrollback: scrollback))
        return copy
    }

    @Test func `rows that left the screen come along`() throws {
        let lines = (0..<50).map { "\u{1B}[3\($0 % 8)mline \($0) " + String(repeating: "x", count: $0) }
        let emulator = try Emulator("30x5", lines.joined(separator: "\r\n"))
        let copy = Self.restored(emulator, scrollback: 40)
        #expect(copy.screen().rows == emulator.screen().rows)
        let texts = copy.screen(scrollback: 40).scrollback.map(\.text)
        #expect(texts == emulator.screen(scrollback: 40).scrollback.map(\.text))
    }

    @Test func `both screens come along, and the way back`() throws {
        let emulator = try Emulator("20x5", "shell\u{1B}[?1049h\u{1B}[H\u{1B}[44meditor\u{1B}[2;4r\u{1B}[?1h\u{1B}[>1u")
        var copy = Self.restored(emulator)
        #expect(copy.screen().differences(from: emulator.screen()) == [])
        copy.feed(Array("\u{1B}[?1049l!".utf8))
        #expect(copy.lines == ["shell!"])
    }

    @Test func `margins, tabs, character sets and saved cursors come along`() throws {
        let emulator = try Emulator(
            "20x6",
            "\u{1B}[3g\u{1B}[5G\u{1B}H\u{1B}[2;4r\u{1B}[?6h\u{1B}[2;3H\u{1B}[1m\u{1B}7\u{1B}[m\u{1B}(0\u{1B}[H"
        )
        var copies = [emulator, Self.restored(emulator)]
        for index in copies.indices { copies[index].feed(Array("q\tq\r\n\u{1B}8x".utf8)) }
        #expect(copies[1].screen().differences(from: copies[0].screen()) == [])
        #expect(copies[0].lines[1].contains("─"))
    }

    @Test func `it asks nothing and rings no bell`() throws {
        let emulator = try Emulator("20x5", "\u{7}\u{1B}[c\u{1B}]52;c;aGk=\u{7}\u{1B}[?2026htext")
        var copy = Self.restored(emulator)
        #expect(copy.takeAnswers() == [])
        #expect(copy.takeBells() == 0)
        #expect(copy.takeClipboard() == nil)
        #expect(!copy.modes[.synchronized])
    }
}
