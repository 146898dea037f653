import Core
import Terminal
import Testing

struct StateRendererTests {
    private static func restored(_ emulator: Emulator, scrollback: Int = 0) -> Emulator {
        var copy = Emulator(size: emulator.size)
        copy.feed(StateRenderer.render(emulator, scrollback: scrollback))
        return copy
    }

    @Test(arguments: ["one\r\ntwo56abcde\r\nend", "123\u{6F22}\u{6F22}56\r\nend", "1234\u{6F22}56\r\nend"])
    func `a line can begin above the screen`(_ output: String) throws {
        let emulator = try Emulator("5x2", output)
        let copy = Self.restored(emulator, scrollback: 9)
        let rows = copy.screen(scrollback: 9)
        #expect(rows.scrollback.map(\.text) == emulator.screen(scrollback: 9).scrollback.map(\.text))
        #expect(rows.rows == emulator.screen().rows)
        #expect(rows.scrollback.last?.isWrapped == true)
    }

    @Test func `restores rows that have scrolled off the screen`() throws {
        let lines = (0..<50).map { "\u{1B}[3\($0 % 8)mline \($0) " + String(repeating: "x", count: $0) }
        let emulator = try Emulator("30x5", lines.joined(separator: "\r\n"))
        let copy = Self.restored(emulator, scrollback: 40)
        #expect(copy.screen().rows == emulator.screen().rows)
        let rows = copy.screen(scrollback: 40).scrollback
        #expect(rows.map(\.text) == emulator.screen(scrollback: 40).scrollback.map(\.text))
        #expect(rows.map(\.isWrapped) == emulator.screen(scrollback: 40).scrollback.map(\.isWrapped))
    }

    @Test func `restores both screens, and the state for returning to the main screen`() throws {
        let emulator = try Emulator("20x5", "shell\u{1B}[?1049h\u{1B}[H\u{1B}[44meditor\u{1B}[2;4r\u{1B}[?1h\u{1B}[>1u")
        var copy = Self.restored(emulator)
        #expect(copy.screen().differences(from: emulator.screen()) == [])
        copy.feed(Array("\u{1B}[?1049l!".utf8))
        #expect(copy.lines == ["shell!"])
    }

    @Test func `restores margins, tabs, character sets and saved cursors`() throws {
        let emulator = try Emulator(
            "20x6",
            "\u{1B}[3g\u{1B}[5G\u{1B}H\u{1B}[2;4r\u{1B}[?6h\u{1B}[2;3H\u{1B}[1m\u{1B}7\u{1B}[m\u{1B}(0\u{1B}[H"
        )
        var copies = [emulator, Self.restored(emulator)]
        for index in copies.indices { copies[index].feed(Array("q\tq\r\n\u{1B}8x".utf8)) }
        #expect(copies[1].screen().differences(from: copies[0].screen()) == [])
        #expect(copies[0].lines[1].contains("─"))
    }

    @Test func `restores the modes of the keyboard`() throws {
        let emulator = try Emulator("20x2", "\u{1B}=\u{1B}[>4;2m\u{1B}[>4;1f")
        let encoder = KeyEncoder(Self.restored(emulator))
        #expect(try encoder.bytes(of: Key(parsing: "C-a")) == Array("\u{1B}[97;5u".utf8))
        #expect(try encoder.bytes(of: Key(parsing: "KP_1")) == Array("\u{1B}Oq".utf8))
    }

    @Test func `contains neither queries nor requests`() throws {
        let emulator = try Emulator("20x5", "\u{7}\u{1B}[c\u{1B}]52;c;aGk=\u{7}\u{1B}[?2026htext")
        var copy = Self.restored(emulator)
        #expect(copy.takeAnswers() == [])
        #expect(copy.takeClipboard() == nil)
        #expect(!copy.modes[.synchronized])
    }

    @Test(arguments: [
        "\u{1B}[1;38:2::1:2:3m", "\u{1B}[?25;1h", "\u{1B}[4 q", "\u{1B}[ 5p", "\u{1B}(0", "\u{1B}#6",
        "\u{1B}]0;title\u{7}", "\u{1B}]8;id=a;http://h/\u{1B}\\", "\u{1B}P1$tx\u{1B}\\",
        "\u{1B}_Ga=b;AAAA\u{1B}\\", "\u{1B}Xé\u{9C}", "\u{1B}]0;é\u{9C}", "é", "€", "😀", "\u{1B}[1;2\u{18}x",
        "\u{1B}]0;\(String(repeating: "long", count: 2000))\u{7}",
    ])
    func `restores an incomplete sequence or character`(_ sequence: String) throws {
        let bytes = Array(sequence.utf8)
        for split in 1..<min(bytes.count, 20) {
            var emulator = try Emulator("20x4", "text ")
            emulator.feed(Array(bytes[..<split]))
            var copy = Self.restored(emulator)
            for part in [Array(bytes[split...]), Array("after".utf8)] {
                emulator.feed(part)
                copy.feed(part)
            }
            #expect(copy.screen().differences(from: emulator.screen()) == [])
        }
    }

    @Test func `skips the rest of a string that is too long to reproduce`() throws {
        let emulator = try Emulator("20x4", "a\u{1B}]0;" + String(repeating: "x", count: 300_000))
        let bytes = StateRenderer.render(emulator)
        #expect(bytes.count < 1000)
        var copy = Emulator(size: emulator.size)
        copy.feed(bytes + Array("rest\u{1B}\\b".utf8))
        #expect(copy.lines == ["ab"])
        #expect(copy.title == "")
    }

    @Test(arguments: [
        "\u{1B}]133;A\u{7}$ \u{1B}]133;B\u{7}ls\r\n\u{1B}]133;C\u{7}", "\u{1B}]133;D;7\u{7}\r\n\u{1B}]133;A\u{7}$ ",
        "\u{1B}]133;B\u{7}seq 9\r\n\u{1B}]133;C\u{7}" + String(repeating: "x\r\n", count: 9),
        "\u{1B}]133;D;1\u{7}" + String(repeating: "x\r\n", count: 9),
    ])
    func `restores the prompt state`(_ output: String) throws {
        let emulator = try Emulator("20x4", output)
        let copy = Self.restored(emulator)
        #expect(copy.screen().promptState.phase == emulator.screen().promptState.phase)
        #expect(copy.screen().promptState.status == emulator.screen().promptState.status)
        #expect(copy.screen().rows == emulator.screen().rows)
    }
}
