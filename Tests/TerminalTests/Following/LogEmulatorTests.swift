import Core
import Terminal
import Testing

struct LogEmulatorTests {
    @Test func `renders a log at the sizes that its terminal had`() throws {
        var log = try SessionLogDouble("10x4")
        log.write("0123456789abc")
        try log.resize("5x4")
        log.write("\r\nx")
        let emulator = try Self.follow(log)
        #expect(emulator.size == (try TerminalSize(parsing: "5x4")))
        #expect(emulator.lines == ["01234", "56789", "abc", "x"])
    }

    @Test(arguments: [(5, "01234"), (13, "0123456789\nabc"), (14, "01234\n56789\nabc"), (16, "01234\n56789\nabc\nx")])
    func `shows the screen at every offset`(_ offset: UInt64, _ text: String) throws {
        var log = try SessionLogDouble("10x4")
        log.write("0123456789")
        log.write("abc")
        log.write("\r")
        try log.resize("5x4")
        log.write("\nx")
        // A resize applies from its offset.
        let emulator = try Self.follow(log, to: offset)
        #expect(emulator.lines.joined(separator: "\n") == text)
    }

    @Test func `without a timeline, the terminal has the given size`() throws {
        var log = try SessionLogDouble()
        log.write("0123456789abc")
        var emulator = LogEmulator(size: try TerminalSize(parsing: "5x3"), scrollbackBytes: 0)
        try emulator.follow(log, to: log.end)
        #expect(emulator.emulator.lines == ["01234", "56789", "abc"])
    }

    @Test func `the first known size applies from the start`() throws {
        var log = try SessionLogDouble()
        log.write("0123456")
        try log.resize("5x3")
        log.write("789")
        #expect(try Self.follow(log).lines == ["01234", "56789"])
    }

    @Test(arguments: 0..<10)
    func `following a log in steps or while it grows gives the same result`(_ seed: Int) throws {
        var random = RandomOutput(seed: seed)
        var log = try SessionLogDouble("40x10")
        var stepwise = LogEmulator(size: .standard, scrollbackBytes: 8 << 10)
        for _ in 0..<20 {
            for _ in 0..<random.next(4) { log.write(random.bytes(1 + random.next(300))) }
            if random.next(3) == 0 { try log.resize("\(1 + random.next(60))x\(1 + random.next(20))") }
            while stepwise.position < log.end {
                try stepwise.follow(log, to: min(stepwise.position + UInt64(1 + random.next(200)), log.end))
            }
        }
        try stepwise.follow(log, to: log.end)
        let whole = try Self.follow(log)
        #expect(stepwise.emulator.screen(scrollback: 50) == whole.screen(scrollback: 50))
    }

    @Test func `skips discarded output, and keeps the current modes`() throws {
        var log = try SessionLogDouble("20x4")
        log.write("\u{1B}[?2004h\u{1B}[31mred\r\n\u{1B}]0;ti")
        var emulator = LogEmulator(size: .standard, scrollbackBytes: 0)
        try emulator.follow(log, to: log.end)
        log.write(String(repeating: "gone", count: 100))
        log.first = log.bytes.count
        log.write("5;44m\r\nkept")
        try emulator.follow(log, to: log.end)
        #expect(emulator.position == log.end)
        #expect(emulator.emulator.lines == ["red", "", "kept"])
        #expect(emulator.emulator.modes[.bracketedPaste])
        #expect(emulator.emulator.style(2, 0).foreground == .indexed(1))
        #expect(emulator.emulator.title == "")
    }

    @Test func `text without control characters is shown from 4 KiB after a gap`() throws {
        var log = try SessionLogDouble("10x2")
        log.write("gone")
        log.first = 4
        log.write(String(repeating: "x", count: 4096) + "text")
        let text = try Self.follow(log).lines.joined()
        #expect(text == "text")
    }

    @Test func `stops at the end of a log that is shorter than requested`() throws {
        var log = try SessionLogDouble("10x2")
        log.write("all")
        var emulator = LogEmulator(size: .standard, scrollbackBytes: 0)
        try emulator.follow(log, to: 100)
        #expect(emulator.position == 3)
        #expect(emulator.emulator.lines == ["all"])
    }

    @Test func `replies and clipboard contents do not accumulate`() throws {
        var log = try SessionLogDouble("10x2")
        log.write("\u{1B}[c\u{1B}]52;c;aGk=\u{7}")
        var emulator = try Self.follow(log)
        #expect(emulator.takeAnswers() == [])
        #expect(emulator.takeClipboard() == nil)
    }

    private static func follow(_ log: SessionLogDouble, to end: UInt64? = nil) throws -> Emulator {
        var emulator = LogEmulator(size: .standard, scrollbackBytes: 8 << 10)
        try emulator.follow(log, to: end ?? log.end)
        return emulator.emulator
    }
}

struct EmulatorScreenTests {
    @Test(arguments: 0..<10)
    func `a screen puts a new terminal into the state that a replay produces`(_ seed: Int) throws {
        var random = RandomOutput(seed: 500 + seed)
        var log = try SessionLogDouble("40x10")
        let screens = EmulatorScreen()
        for _ in 0..<5 {
            log.write(random.bytes(3_000) + [0x18])
            try screens.follow(log, end: log.end - 1_000, size: .standard)
            let size = try TerminalSize(parsing: "40x10")
            var shown = Emulator(size: size)
            shown.feed(try screens.screen(of: log, end: log.end, size: size))
            var replayed = Emulator(size: size)
            replayed.feed(log.bytes)
            #expect(shown.lines == replayed.lines)
            #expect(shown.place == replayed.place)
        }
    }

    @Test func `a screen has the requested size`() throws {
        var log = try SessionLogDouble("10x4")
        log.write("0123456789abc")
        let size = try TerminalSize(parsing: "5x4")
        var shown = Emulator(size: size)
        shown.feed(try EmulatorScreen().screen(of: log, end: log.end, size: size))
        #expect(shown.lines == ["01234", "56789", "abc"])
    }
}
