import Core
import Terminal
import Testing

struct RandomTests {
    private static let sizes = ["80x24", "20x5", "3x2", "1x1", "132x50"]

    private static func emulator(_ seed: Int) throws -> Emulator {
        Emulator(size: try TerminalSize(parsing: sizes[seed % sizes.count]), scrollbackBytes: 8 << 10)
    }

    @Test(arguments: 0..<20)
    func `the screen does not depend on how output is split`(_ seed: Int) throws {
        var random = RandomOutput(seed: seed)
        let bytes = random.bytes(6000)
        var whole = try Self.emulator(seed)
        var single = whole
        var pieces = whole
        whole.feed(bytes)
        for byte in bytes { single.feed([byte]) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(1 + random.next(50), rest.count)
            pieces.feed(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(whole.screen(scrollback: 100) == single.screen(scrollback: 100))
        #expect(whole.screen(scrollback: 100) == pieces.screen(scrollback: 100))
        #expect(whole.takeAnswers() == pieces.takeAnswers())
    }

    @Test(arguments: 0..<20)
    func `random resizes keep the screen consistent`(_ seed: Int) throws {
        var random = RandomOutput(seed: 1000 + seed)
        var emulator = try Self.emulator(seed)
        for _ in 0..<20 {
            emulator.feed(random.bytes(120))
            let size = try #require(TerminalSize(columns: 1 + random.next(90), rows: 1 + random.next(30)))
            emulator.resize(to: size)
            let screen = emulator.screen(scrollback: 20)
            #expect(screen.rows.count == size.rows)
            #expect(screen.cursor.column < size.columns && screen.cursor.row < size.rows)
            #expect(screen.rows.allSatisfy { $0.cells.reduce(0) { $0 + $1.width } <= size.columns })
        }
    }

    @Test(arguments: 0..<20)
    func `the rendered state reproduces the terminal`(_ seed: Int) throws {
        var random = RandomOutput(seed: 2000 + seed)
        var emulator = try Self.emulator(seed)
        for _ in 0..<20 {
            emulator.feed(random.bytes(300))
            // Cancel an incomplete sequence, which is not part of the state.
            emulator.feed([0x18])
            var copy = try Self.emulator(seed)
            copy.feed(StateRenderer.render(emulator))
            #expect(Self.shown(copy).differences(from: Self.shown(emulator)) == [])
            let more = random.bytes(80) + [0x18]
            var next = emulator
            next.feed(more)
            copy.feed(more)
            #expect(Self.shown(copy).rows.map(\.text) == Self.shown(next).rows.map(\.text))
        }
    }

    /// The restored part of the screen: without the prompt state and the modes for synchronized output and 132 columns.
    private static func shown(_ emulator: Emulator) -> Screen {
        var screen = emulator.screen()
        screen.modes[.synchronized] = false
        screen.modes[.columns132] = false
        screen.promptState = PromptState()
        // A terminal wraps only a row whose last cell contains a character.
        for y in screen.rows.indices {
            let cells = screen.rows[y].cells
            let isFull = cells.reduce(0) { $0 + $1.width } == screen.size.columns && cells.last?.text.isEmpty == false
            if !isFull || screen.rows[y].size != .single { screen.rows[y].isWrapped = false }
            let blank = ScreenCell(text: "", width: 1, style: .plain, link: nil)
            while !screen.rows[y].isWrapped, screen.rows[y].cells.last == blank { screen.rows[y].cells.removeLast() }
        }
        return screen
    }
}
