import Core

/// A text to find on a screen, in lines whose wrapped rows are joined.
package enum ScreenText: Sendable {
    /// These characters, also if the program has written them in a canonically equivalent form.
    case literal(String, ignoresCase: Bool = false)
    /// What matches the expression that was written as `text`.
    case expression(LinePattern, text: String)

    /// - Throws: `usage` for an empty text or an invalid expression.
    package init(_ text: String, isExpression: Bool, ignoresCase: Bool = false) throws(VTError) {
        guard !text.isEmpty else { throw VTError(.usage, "the text to find is empty") }
        self =
            isExpression
            ? .expression(try LinePattern(text, ignoresCase: ignoresCase), text: text)
            : .literal(text, ignoresCase: ignoresCase)
    }

    /// The text or the expression as it was written.
    package var text: String {
        switch self {
        case .literal(let text, _), .expression(_, let text): text
        }
    }

    package var isExpression: Bool { if case .expression = self { true } else { false } }

    package var ignoresCase: Bool {
        switch self {
        case .literal(_, let ignoresCase): ignoresCase
        case .expression(let pattern, _): pattern.ignoresCase
        }
    }

    /// Returns the first part of a title that matches.
    package func match(in title: String) -> String? {
        let line = ScreenLine(title)
        return ranges(in: line, limit: 1).first.map { line.text(in: $0) }
    }

    /// The cells of a line that match, from left to right without overlaps.
    ///
    /// An expression is matched without the trailing blanks of the line or, if nothing is found, with them: the space
    /// before the cursor can be the end of a prompt. It does not match in a blank line.
    fileprivate func ranges(in line: ScreenLine, limit: Int) -> [Range<Int>] {
        switch self {
        case .literal(let text, let ignoresCase):
            return Self.ranges(of: ignoresCase ? text.lowercased() : text, in: line, limit) {
                ignoresCase ? $0.lowercased() : $0
            }
        case .expression(let pattern, _):
            let found = Self.ranges(of: pattern, in: line, to: line.end, limit)
            guard found.isEmpty, line.cells.count > line.end else { return found }
            return Self.ranges(of: pattern, in: line, to: line.cells.count, limit)
        }
    }

    private static func ranges(
        of text: String,
        in line: ScreenLine,
        _ limit: Int,
        _ form: (String) -> String
    ) -> [Range<Int>] {
        let cells = line.cells.map { form($0.text) }
        var found: [Range<Int>] = []
        var start = 0
        while start < cells.count, found.count < limit {
            var end = start
            var shown = ""
            while end < cells.count, shown != text, text.hasPrefix(shown) {
                shown += cells[end]
                end += 1
            }
            if shown == text { found.append(start..<end) }
            start = shown == text ? end : start + 1
        }
        return found
    }

    private static func ranges(
        of pattern: LinePattern,
        in line: ScreenLine,
        to end: Int,
        _ limit: Int
    ) -> [Range<Int>] {
        guard line.end > 0 else { return [] }
        var bytes: [UInt8] = []
        /// The cell of each byte.
        var cells: [Int] = []
        for (index, cell) in line.cells[..<end].enumerated() {
            bytes += cell.text.utf8
            cells += repeatElement(index, count: cell.text.utf8.count)
        }
        cells.append(end)
        return pattern.matches(in: bytes, limit: limit).map { match in
            cells[match.lowerBound]..<(match.isEmpty ? cells[match.lowerBound] : cells[match.upperBound - 1] + 1)
        }
    }
}

/// A place where a text is shown.
package struct ScreenPlace: Hashable, Sendable {
    /// The column of the first character, numbered from 0.
    package var column: Int
    /// The row of the first character, numbered from 0 at the top of the screen; rows above the screen are negative.
    package var row: Int
    /// The number of cells, which can continue in further rows.
    package var width: Int
    /// The text that was found.
    package var text: String
    /// The line that contains it, without trailing blanks.
    package var line: String
    /// The characters of the text.
    package var cells: [ScreenCell]

    /// The characters with the same appearance.
    package var runs: [ScreenRun] {
        ScreenRow(cells: cells, isWrapped: false, marks: [], size: .single).runs().map { run in
            var run = run
            run.column += column
            return run
        }
    }

    /// Whether all characters, except for blanks, have an appearance.
    package func has(_ style: TextStyle) -> Bool {
        cells.allSatisfy { style.matches($0.style) || $0.shown == " " } && !cells.isEmpty
    }
}

extension Screen {
    /// Returns the places where a text is shown, from top to bottom, at most `limit` of them.
    package func places(of text: ScreenText, limit: Int = .max) -> [ScreenPlace] {
        var found: [ScreenPlace] = []
        var line = ScreenLine()
        let all = scrollback + rows
        for (index, row) in all.enumerated() where found.count < limit {
            let y = index - scrollback.count
            line.append(row, y, cursor: y == cursor.row ? cursor.column : nil)
            if row.isWrapped, index + 1 < all.count { continue }
            found += text.ranges(in: line, limit: limit - found.count).map { line.place($0) }
            line = ScreenLine()
        }
        return found
    }
}

/// The characters of a line, with the blanks that precede the cursor.
private struct ScreenLine {
    private(set) var cells: [ScreenCell] = []
    /// The first character and the number of each row.
    private var rows: [(start: Int, number: Int)] = []

    private static let blank = ScreenCell(text: " ", width: 1, style: .plain, link: nil)

    init() {}

    init(_ text: String) {
        cells = text.map { ScreenCell(text: String($0), width: 1, style: .plain, link: nil) }
        rows = [(0, 0)]
    }

    mutating func append(_ row: ScreenRow, _ number: Int, cursor: Int?) {
        rows.append((cells.count, number))
        var width = 0
        for var cell in row.cells {
            cell.text = cell.shown
            cells.append(cell)
            width += cell.width
        }
        if let cursor, cursor > width { cells += repeatElement(Self.blank, count: cursor - width) }
    }

    /// The number of characters without trailing blanks.
    var end: Int { cells.lastIndex { $0.text != " " }.map { $0 + 1 } ?? 0 }

    func text(in range: Range<Int>) -> String { cells[range].map(\.text).joined() }

    func place(_ range: Range<Int>) -> ScreenPlace {
        let row = rows.last { $0.start <= range.lowerBound } ?? (0, 0)
        return ScreenPlace(
            column: cells[row.start..<range.lowerBound].reduce(0) { $0 + $1.width },
            row: row.number,
            width: cells[range].reduce(0) { $0 + $1.width },
            text: text(in: range),
            line: text(in: 0..<end),
            cells: Array(cells[range])
        )
    }
}
