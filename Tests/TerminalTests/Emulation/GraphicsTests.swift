import Terminal
import Testing

struct GraphicsTests {
    private static let attributes: [(String, Style.Attributes)] = [
        ("1", .bold), ("2", .dim), ("3", .italic), ("5", .blink), ("7", .inverse), ("8", .concealed),
        ("9", .struck), ("53", .overlined), ("1;2", [.bold, .dim]), ("1;2;22", []), ("3;23", []), ("5;25", []),
        ("7;27", []), ("8;28", []), ("9;29", []), ("53;55", []), ("1;3;0", []), ("1;3;", []), ("1:2", []),
    ]

    private static func style(_ sequence: String) throws -> Style {
        try Emulator("20x2", sequence + "x").style(0, 0)
    }

    @Test(arguments: [
        ("38;2;10;20;30", Color.rgb(10, 20, 30)), ("38;5;208", .indexed(208)), ("38:2:10:20:30", .rgb(10, 20, 30)),
        ("38:2::10:20:30", .rgb(10, 20, 30)), ("38:2:1:10:20:30:0:1", .rgb(10, 20, 30)), ("38:5:208", .indexed(208)),
        ("31", .indexed(1)), ("97", .indexed(15)), ("31;39", .standard), ("38;2;256;0;0", .standard),
        ("38:2:10", .rgb(10, 0, 0)), ("38", .standard), ("38;5", .indexed(0)),
    ])
    func `accepts a text color in every form`(_ parameters: String, _ color: Color) throws {
        #expect(try Self.style("\u{1B}[\(parameters)m").foreground == color)
    }

    @Test(arguments: [
        ("48;2;1;2;3", Color.rgb(1, 2, 3)), ("48:2::1:2:3", .rgb(1, 2, 3)), ("48:5:99", .indexed(99)),
        ("44", .indexed(4)), ("104", .indexed(12)), ("44;49", .standard),
    ])
    func `accepts a background color in every form`(_ parameters: String, _ color: Color) throws {
        #expect(try Self.style("\u{1B}[\(parameters)m").background == color)
    }

    @Test(arguments: [
        ("4", Style.Underline.single), ("4:0", .none), ("4:1", .single), ("4:2", .double), ("4:3", .curly),
        ("4:4", .dotted), ("4:5", .dashed), ("21", .double), ("4:3;24", .none), ("4;4:3", .curly), ("4:9", .single),
    ])
    func `accepts underline styles`(_ parameters: String, _ underline: Style.Underline) throws {
        #expect(try Self.style("\u{1B}[\(parameters)m").underline == underline)
    }

    @Test(arguments: [
        ("58;2;1;2;3", Color.rgb(1, 2, 3)), ("58;5;9", .indexed(9)), ("58:2::1:2:3", .rgb(1, 2, 3)),
        ("58:5:9", .indexed(9)), ("58;5;9;59", .standard),
    ])
    func `accepts underline colors, which affect nothing else`(_ parameters: String, _ color: Color) throws {
        var expected = Style()
        let style = try Self.style("\u{1B}[\(parameters)m")
        #expect(style.underlineColor == color)
        #expect(style.attributes == expected.attributes)
        expected.underline = .curly
        #expect(try Self.style("\u{1B}[4:3;\(parameters)m").underline == .curly)
    }

    @Test(arguments: attributes)
    func `attributes can be set and reset`(_ parameters: String, _ attributes: Style.Attributes) throws {
        #expect(try Self.style("\u{1B}[\(parameters)m").attributes == attributes)
    }

    @Test(arguments: ["\u{1B}[>4;2m", "\u{1B}[?4m", "\u{1B}[>1m", "\u{1B}[4\"q", "\u{1B}[4 q", "\u{1B}[<1;4m"])
    func `similar sequences do not change attributes`(_ sequence: String) throws {
        #expect(try Self.style(sequence) == .plain)
    }

    @Test func `keeps many colors, and removes unused ones`() throws {
        var emulator = try Emulator("80x24", "")
        for round in 0..<40_000 {
            let (red, green) = (round % 256, round / 256 % 256)
            emulator.feed(Array("\u{1B}[38;2;\(red);\(green);7mx".utf8))
        }
        #expect(emulator.style(23, 10).foreground.kind != .standard)
        let cells = emulator.screen().rows.flatMap(\.cells)
        #expect(Set(cells.map(\.style)).count == cells.count)
    }

    @Test func `erasing keeps the background color`() throws {
        let emulator = try Emulator("10x3", "\u{1B}[41mab\u{1B}[K\u{1B}[m\r\nc")
        #expect(emulator.style(0, 9).background == .indexed(1))
        #expect(emulator.style(1, 5) == .plain)
    }
}
