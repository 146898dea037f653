import Core
import Foundation
import TestSupport
import Terminal
import Testing

/// Screens of 20x6 cells that xterm 379 shows, each cell asked for with DECRQCRA; see Scripts/xterm-screens.py.
struct XtermScreenTests {
    struct Case: Codable, CustomTestStringConvertible, Sendable {
        var name: String
        /// A byte in each code point.
        var input: String
        var rows: [String]
        /// Row and column, counted from 1, where DSR 6 puts the cursor.
        var cursor: [Int]

        var testDescription: String { name }
        var bytes: [UInt8] { input.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
    }

    static let cases: [Case] = {
        let path = "\(TestTree.root)/Tests/TerminalTests/Fixtures/xterm-screens.json"
        let data = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
    }()

    @Test func `all screens are there`() {
        #expect(Self.cases.count == 354)
        let names = Set(Self.cases.map(\.name))
        #expect(XtermDifferences.names.subtracting(names).isEmpty)
    }

    @Test(arguments: cases)
    func `a screen is as xterm shows it, or differs for a reason`(_ screen: Case) throws {
        var emulator = Emulator(size: try TerminalSize(parsing: "20x6"))
        emulator.feed(screen.bytes + Array("\u{18}\u{1B}[6n".utf8))
        let answers = String(decoding: emulator.takeAnswers(), as: UTF8.self)
        // A checksum has no marks.
        let bases = emulator.screen().rows.prefix(emulator.lines.count).map { row in
            String(String.UnicodeScalarView(row.cells.compactMap(\.shown.unicodeScalars.first))).trimmed
        }
        let isSame =
            (emulator.lines == screen.rows || bases == screen.rows)
            && answers.hasSuffix("\u{1B}[\(screen.cursor[0]);\(screen.cursor[1])R")
        let reason = XtermDifferences.reason(for: screen.name)
        #expect(
            isSame == (reason == nil),
            "\(emulator.lines) \(answers.debugDescription), and xterm \(screen.rows) \(screen.cursor), \(String(describing: reason))"
        )
    }
}

extension String {
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
