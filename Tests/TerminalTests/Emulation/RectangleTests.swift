import Terminal
import Testing

/// DECCARA, DECRARA and DECSACE; the expected cells are from xterm 379.
struct RectangleTests {
    /// The rows, with the cells that have the attributes in uppercase.
    private func shown(_ emulator: Emulator, _ attributes: Style.Attributes = .inverse) -> [String] {
        emulator.screen().rows.map { row in
            row.cells.map { cell in
                let text = cell.text.isEmpty ? "." : cell.text
                return cell.style.attributes.isSuperset(of: attributes) ? (text == "." ? "#" : text.uppercased()) : text
            }.joined()
        }
    }

    private let text = "abcdef\r\nghijkl\r\nmnopqr\r\nstuvwx"

    @Test(
        arguments: [
            ("2;2;3;4;7", ["abcdef..", "gHIJKL##", "MNOPqr..", "stuvwx"]),
            ("2;2;3;4", ["abcdef", "ghijkl", "mnopqr", "stuvwx"]),
            ("1;2;1;4;7", ["aBCDef", "ghijkl", "mnopqr", "stuvwx"]),
            ("2;5;3;2;7", ["abcdef", "ghijkl", "mnopqr", "stuvwx"]),
            ("3;1;2;4;7", ["abcdef", "ghijkl", "mnopqr", "stuvwx"]),
            ("4;5;99;99;7", ["abcdef", "ghijkl", "mnopqr", "stuvWX##"]),
        ],
        ["r", "t"]
    )
    func `attributes change from the first cell to the last`(_ change: (String, [String]), _ final: String) throws {
        let emulator = try Emulator("8x4", "\(text)\u{1B}[\(change.0)$\(final)")
        #expect(shown(emulator).map(\.trimmed) == change.1.map(\.trimmed))
    }

    @Test(arguments: ["r", "t"])
    func `after DECSACE 2, attributes change in a rectangle`(_ final: String) throws {
        let emulator = try Emulator("8x4", "\(text)\u{1B}[2*x\u{1B}[2;2;3;4;7$\(final)")
        #expect(shown(emulator) == ["abcdef", "gHIJkl", "mNOPqr", "stuvwx"])
        let reset = try Emulator("8x4", "\u{1B}[2*x\u{1B}c\(text)\u{1B}[2;2;3;4;7$\(final)")
        #expect(shown(reset)[1] == "gHIJKL##")
    }

    @Test func `in origin mode, attributes change within the margins`() throws {
        let origin = "\u{1B}[?69h\u{1B}[2;4s\u{1B}[2;3r\u{1B}[?6h"
        let emulator = try Emulator("8x4", "\(text)\(origin)\u{1B}[1;2;9;9;7$r")
        #expect(shown(emulator) == ["abcdef", "ghIJkl", "mNOPqr", "stuvwx"])
        #expect(shown(try Emulator("8x4", "\(text)\u{1B}[?69h\u{1B}[2;4s\u{1B}[1;2;2;2;7$r"))[0] == "aBCDEF##")
    }

    /// The SGR parameters of a cell, the parameters and final byte of a change, and the resulting SGR parameters.
    @Test(arguments: [
        ("", "1", "r", [1]), ("", "4", "r", [4]), ("", "5", "r", [5]), ("", "7", "r", [7]),
        ("", "2;3;8;9;21;31", "r", []),
        ("1;4;5;7", "0", "r", []), ("1;4;5;7", "22", "r", [4, 5, 7]), ("1;4;5;7", "24", "r", [1, 5, 7]),
        ("1;4;5;7", "25", "r", [1, 4, 7]), ("1;4;5;7", "27", "r", [1, 4, 5]), ("1;4", "0;7", "r", [7]),
        ("1;4;5;7", "20;21;23", "r", [1, 4, 5, 7]), ("1", "", "r", [1]), ("", "1;4", "t", [1, 4]),
        ("1;4;5;7", "1", "t", [4, 5, 7]), ("1;4;5;7", "4", "t", [1, 5, 7]),
        ("1;4;5;7", "5", "t", [1, 4, 7]), ("1;4;5;7", "7", "t", [1, 4, 5]), ("1;4;5;7", "0;22;24", "t", [1, 4, 5, 7]),
        ("1;4", "0;7", "t", [1, 4, 7]),
    ])
    func `sets or reverses the attributes of a cell`(
        _ before: String,
        _ change: String,
        _ final: String,
        _ after: [Int]
    ) throws {
        let emulator = try Emulator("8x1", "\u{1B}[\(before);31mab\u{1B}[m\u{1B}[1;1;1;1;\(change)$\(final)")
        var expected = Style.plain
        expected.foreground = .indexed(1)
        let attributes: [Int: Style.Attributes] = [1: .bold, 5: .blink, 7: .inverse]
        for number in after { expected.attributes.formUnion(attributes[number] ?? []) }
        expected.underline = after.contains(4) ? .single : .none
        #expect(emulator.style(0, 0) == expected)
    }

    @Test func `characters, protection and the pen are unchanged`() throws {
        let emulator = try Emulator("8x2", "\u{1B}[1\"q中e\u{301}\u{1B}[0\"q\u{1B}[1;1;1;8;7$r\u{1B}[?2K\u{1B}[2;1Hx")
        #expect(emulator.lines == ["中e\u{301}", "x"])
        #expect(emulator.style(1, 0) == .plain)
        #expect(emulator.style(0, 0).attributes == [.protected, .inverse])
    }

    @Test func `the rendered state includes the extent set by DECSACE`() throws {
        var copy = try Emulator("8x4", "")
        copy.feed(StateRenderer.render(try Emulator("8x4", "\(text)\u{1B}[2*x")))
        copy.feed(Array("\u{1B}[2;2;3;4;7$r".utf8))
        #expect(shown(copy)[1] == "gHIJkl")
    }

    @Test func `any number of attribute changes is harmless`() throws {
        let changes = (0..<20_000).map {
            "\u{1B}[38;5;\($0 % 256);48;2;1;\($0 / 256);0mx\u{1B}[1;1;2;8;\(1 + $0 % 7)$t"
        }
        let emulator = try Emulator("8x2", changes.joined())
        #expect(emulator.lines.count == 2)
    }
}

extension String {
    fileprivate var trimmed: String { String(reversed().drop { $0 == "." }.reversed()) }
}
