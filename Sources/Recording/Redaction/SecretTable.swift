/// Finds the values of secrets in tables: in columns whose header names a secret (psql(1), mysql(1)), and in the rows of
/// names and values that `vault kv get` and psql's expanded format print.
struct SecretTable {
    private enum Place {
        case outside
        /// A header was found; a rule such as `-----+-----` must follow.
        case header([Column])
        case rows([Column])
        /// Names and values, separated by a vertical bar or by blanks.
        case pairs
    }

    /// The number of a cell, and the kind of secret that its header names.
    private typealias Column = (number: Int, strength: SecretName.Strength)

    private var place = Place.outside

    var isOpen: Bool {
        if case .outside = place { false } else { true }
    }

    /// Returns the secret parts of the next line; `hasCells` is whether it contains a vertical bar after a blank.
    mutating func secrets(in text: LineText, _ hasCells: Bool) -> [Range<Int>] {
        if text.has("-[ record ", at: 0) || Self.isPairHeader(text) {
            place = .pairs
            return []
        }
        guard hasCells || isOpen else { return [] }
        switch place {
        case .header(let columns) where Self.isRule(text): place = .rows(columns)
        case .outside, .header:
            // A row starts with a blank or a border, unlike the lines of `docker compose logs`.
            let isRow = hasCells && (text.isBlank(0) || Self.isBorder(text, 0))
            let columns = isRow ? Self.columns(in: text) : []
            place = columns.isEmpty ? .outside : .header(columns)
        case .rows(let columns):
            if hasCells, !Self.isRule(text) { return columns.compactMap { Self.value(in: text, $0) } }
            if !Self.isRule(text) { place = .outside }
        case .pairs:
            if let pair = Self.pair(in: text) { return pair }
            if !Self.isRule(text) { place = .outside }
        }
        return []
    }

    /// Whether a line consists of the words `Key` and `Value`.
    private static func isPairHeader(_ text: LineText) -> Bool {
        guard text.has("key  ", at: 0) else { return false }
        let value = text.skipBlanks(3)
        return text.has("value", at: value) && text.skipBlanks(value + 5) == text.count
    }

    /// Whether a line is a horizontal rule: `-----+-----`, `+-----+`, `|---|`, `---  -----`.
    private static func isRule(_ text: LineText) -> Bool {
        text.bytes.allSatisfy { "-+|=: ".utf8.contains($0) || 0x80...0xBF ~= $0 || $0 == 0xE2 }
    }

    private static func columns(in text: LineText) -> [Column] {
        cells(of: text).enumerated().compactMap { number, cell in
            guard 2...40 ~= cell.count, SecretName.mayBeSecret(text, cell), cell.allSatisfy({ text.isName($0) }) else {
                return nil
            }
            return SecretName.strength(text.slice(cell)).map { (number, $0) }
        }
    }

    private static func value(in text: LineText, _ column: Column) -> Range<Int>? {
        let cells = cells(of: text)
        return column.number < cells.count ? secret(text, cells[column.number], column.strength) : nil
    }

    /// Returns the secret in a row of a name and a value; nil if the line is no such row.
    private static func pair(in text: LineText) -> [Range<Int>]? {
        var end = 0
        while end < text.count, text.isName(end) { end += 1 }
        var start = text.skipBlanks(end)
        guard end > 0, start > end, start < text.count else { return nil }
        if text[start] == UInt8(ascii: "|") {
            start = text.skipBlanks(start + 1)
        } else if start - end < 2 {
            return nil
        }
        guard start < text.count, let strength = SecretName.strength(text.slice(0..<end)) else { return [] }
        return secret(text, start..<text.count, strength).map { [$0] } ?? []
    }

    private static func secret(_ text: LineText, _ cell: Range<Int>, _ strength: SecretName.Strength) -> Range<Int>? {
        guard !cell.isEmpty else { return nil }
        let value = SecretValue(text: text, range: cell, isQuoted: false)
        return value.mayBeSecret(.attached, strength) ? cell : nil
    }

    /// The cells between vertical bars, without blanks around them.
    private static func cells(of text: LineText) -> [Range<Int>] {
        var cells: [Range<Int>] = []
        var start = 0
        for index in 0...text.count where index == text.count || isBorder(text, index) {
            var cell = start..<index
            while let first = cell.first, text.isBlank(first) { cell = first + 1..<cell.upperBound }
            while let last = cell.last, text.isBlank(last) { cell = cell.lowerBound..<last }
            cells.append(cell)
            start = index + (index < text.count && text[index] == UInt8(ascii: "|") ? 1 : 3)
        }
        return cells
    }

    /// Whether a vertical bar is at an index: `|`, or the box-drawing character U+2502.
    private static func isBorder(_ text: LineText, _ index: Int) -> Bool {
        let byte = text[index]
        return byte == UInt8(ascii: "|") || byte == 0xE2 && text.has("│", at: index)
    }
}
