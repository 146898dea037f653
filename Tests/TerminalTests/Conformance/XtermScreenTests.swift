import Core
import Foundation
import TestSupport
import Terminal
import Testing

/// Screens of 20x6 cells from xterm 379, with each cell queried by DECRQCRA; see Scripts/xterm-screens.py.
struct XtermScreenTests {
    struct Case: Codable, CustomTestStringConvertible, Sendable {
        var name: String
        /// The input as a string, with one code point for each byte.
        var input: String
        var rows: [String]
        /// The row and column of the cursor, numbered from 1, as reported by DSR 6.
        var cursor: [Int]

        var testDescription: String { name }
        var bytes: [UInt8] { input.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
    }

    static let cases: [Case] = {
        let path = "\(TestTree.root)/Tests/TerminalTests/Fixtures/xterm-screens.json"
        let data = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
    }()

    @Test func `all screens are present`() {
        #expect(Self.cases.count == 483)
        let names = Set(Self.cases.map(\.name))
        #expect(XtermDifferences.names.subtracting(names).isEmpty)
    }

    @Test(arguments: cases)
    func `a screen matches xterm, or differs for a listed reason`(_ screen: Case) throws {
        var emulator = Emulator(size: try TerminalSize(parsing: "20x6"))
        emulator.feed(screen.bytes + Array("\u{18}\u{1B}[6n".utf8))
        let answers = String(decoding: emulator.takeAnswers(), as: UTF8.self)
        // Checksums include the cells that double width hides; DECSWL shows them.
        emulator.feed(Array("\u{1B}[?6l".utf8) + (1...6).flatMap { Array("\u{1B}[\($0)H\u{1B}#5".utf8) })
        // Checksums do not include combining marks.
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
