import Core
import Terminal
import Testing

struct ScreenTextTests {
    private static let output = "漢字 <OK>\r\nno No\r\n0123456789wrap\r\n\u{1B}[7m a\u{301}.b    \u{1B}[m\r\n\u{1B}[31m$ "

    private func places(of text: ScreenText, scrollback: Int = 0) throws -> [ScreenPlace] {
        try Emulator("10x6", Self.output).screen(scrollback: scrollback).places(of: text)
    }

    @Test(
        arguments: [
            ("<OK>", [[5, 0, 4]]), ("漢", [[0, 0, 2]]), ("字 <", [[2, 0, 4]]), ("no", [[0, 1, 2]]), ("o N", [[1, 1, 3]]),
            ("89wr", [[8, 2, 4]]), ("á.b", [[1, 4, 3]]), (".", [[2, 4, 1]]), ("$ ", [[0, 5, 2]]), ("OK>n", []),
            ("x", []),
        ] as [(String, [[Int]])]
    )
    func `finds a text, also in wrapped rows`(_ text: String, _ expected: [[Int]]) throws {
        let places = try places(of: ScreenText(text, isExpression: false))
        #expect(places.map { [$0.column, $0.row, $0.width] } == expected)
    }

    @Test(
        arguments: [
            ("^[0-9]+wrap$", [[0, 2, 14]]), ("[$] $", [[0, 5, 2]]), ("[.]b$", [[2, 4, 2]]), ("n", [[0, 1, 1]]),
            ("[oO]", [[6, 0, 1], [1, 1, 1], [4, 1, 1]]), ("\\bNo", [[3, 1, 2]]), ("^ ", [[0, 4, 1]]),
            ("\\$$", [[0, 5, 1]]),
            ("b +$", [[3, 4, 5]]), ("^$", []),
        ] as [(String, [[Int]])]
    )
    func `finds an expression`(_ text: String, _ expected: [[Int]]) throws {
        let places = try places(of: ScreenText(text, isExpression: true))
        #expect(places.map { [$0.column, $0.row, $0.width] } == expected)
    }

    @Test(arguments: [false, true])
    func `case can be ignored`(_ isExpression: Bool) throws {
        let places = try places(of: ScreenText("NO", isExpression: isExpression, ignoresCase: true))
        #expect(places.map(\.column) == [0, 3])
        #expect(places.map(\.text) == ["no", "No"])
        #expect(places.map(\.line) == ["no No", "no No"])
    }

    @Test(
        arguments: [
            ("$", "red", nil, [], true), ("$", "blue", nil, [], false), ("$", "1", "default", [], true),
            (".b", nil, nil, .inverse, true), ("no", nil, nil, .inverse, false), (" á", "default", nil, .inverse, true),
            ("no", "default", "default", [], true), ("no", "#ff0000", nil, [], false),
        ] as [(String, String?, String?, Style.Attributes, Bool)]
    )
    func `a text has an appearance if all its characters do`(
        _ text: String,
        _ foreground: String?,
        _ background: String?,
        _ attributes: Style.Attributes,
        _ expected: Bool
    ) throws {
        var style = TextStyle()
        style.foreground = try foreground.map { try Color(parsing: $0) }
        style.background = try background.map { try Color(parsing: $0) }
        style.attributes = attributes
        #expect(try places(of: .literal(text)).first?.has(style) == expected)
    }

    @Test(arguments: ["10x3+0+1", "5x2+10+0", "3x3+2+-1"])
    func `a region contains the cells of the screen`(_ text: String) throws {
        let region = try ScreenRegion(parsing: text)
        let screen = try Emulator("10x6", Self.output).screen(scrollback: 5)
        let part = screen.part(region)
        #expect(part.size == region.size && part.rows.count == region.size.rows)
        for (index, row) in part.rows.enumerated() {
            let source = index + region.row
            let cells = screen.rows.indices.contains(source) ? screen.rows[source].cells : []
            let shown = cells.flatMap { [$0.shown] + Array(repeating: "", count: $0.width - 1) }
            let wanted = shown.dropFirst(region.column).prefix(region.size.columns)
            // A half of a wide character is blank.
            let expected = wanted.enumerated().map { $0.offset == 0 && $0.element == "" ? " " : $0.element }.joined()
            let end = expected.lastIndex { $0 != " " }.map { expected.index(after: $0) } ?? expected.startIndex
            #expect(row.text == expected[..<end])
        }
        let row = screen.cursor.row - region.row
        #expect(part.isCursorVisible == (part.rows.indices.contains(row) && region.column <= screen.cursor.column))
        #expect(part.cursor.row == (part.isCursorVisible ? row : 0))
    }

    @Test(arguments: ["", "10x3", "10x3+1", "10x3+1+x", "0x3+0+0", "10x3+-1+0", "10x3+0+--1", "10x3+1+2+3"])
    func `an invalid region is an error`(_ text: String) {
        let error = #expect(throws: VTError.self) { try ScreenRegion(parsing: text) }
        #expect(error?.code == .usage)
    }

    @Test(arguments: ["", "redd", "256", "-1", "#12345", "#12345g", "+1", "bright red"])
    func `an invalid color is an error`(_ text: String) {
        let error = #expect(throws: VTError.self) { try Color(parsing: text) }
        #expect(error?.code == .usage)
    }

    @Test func `rows above the screen are negative, and a line can begin there`() throws {
        let emulator = try Emulator("5x2", "one\r\ntwo56abcde\r\nend")
        let screen = emulator.screen(scrollback: 10)
        #expect(screen.places(of: .literal("one")).map(\.row) == [-2])
        #expect(screen.places(of: .literal("56ab")).map { [$0.column, $0.row] } == [[3, -1]])
        #expect(emulator.screen().places(of: .literal("two")).isEmpty)
    }

    @Test func `finds a part of a title`() throws {
        #expect(ScreenText.literal("cafe\u{301}").match(in: "a café") == "café")
        #expect(try ScreenText("^a", isExpression: true).match(in: "a b") == "a")
        #expect(ScreenText.literal("x").match(in: "") == nil)
    }

    @Test(arguments: [false, true])
    func `an empty text is an error`(_ isExpression: Bool) {
        let error = #expect(throws: VTError.self) { try ScreenText("", isExpression: isExpression) }
        #expect(error?.code == .usage)
    }
}
