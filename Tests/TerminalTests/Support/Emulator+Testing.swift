import Core
import Terminal

extension Emulator {
    /// A terminal of `COLSxROWS` that has processed a text.
    init(_ size: String, _ text: String) throws(VTError) {
        self.init(size: try TerminalSize(parsing: size))
        feed(Array(text.utf8))
    }

    /// The rows up to the last non-blank one.
    var lines: [String] {
        var lines = screen().rows.map(\.text)
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// The column and row of the cursor, numbered from 0.
    var place: [Int] {
        let cursor = screen().cursor
        return [cursor.column, cursor.row]
    }

    /// The style of a cell.
    func style(_ row: Int, _ column: Int) -> Style {
        let cells = screen().rows[row].cells
        return cells.indices.contains(column) ? cells[column].style : .plain
    }

    /// The terminal's replies to everything it has processed.
    var answered: String {
        var copy = self
        return String(decoding: copy.takeAnswers(), as: UTF8.self)
    }
}
