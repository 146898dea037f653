import Core

/// Rows under a header, with each column as wide as its widest cell.
package struct TextTable: Sendable {
    private let header: [String]
    private var rows: [(cells: [String], isFailure: Bool)] = []

    /// - Parameter header: One word in capitals per column.
    package init(_ header: [String]) {
        self.header = header
    }

    /// The names and values of fields, without those that have no value.
    init(fields: [(String, String?)]) {
        self.init(["FIELD", "VALUE"])
        for case (let field, let value?) in fields { add([field, value]) }
    }

    /// Adds a row with one cell per column; cells can contain untrusted text.
    ///
    /// The row of a failure is red if colors are enabled.
    package mutating func add(_ cells: [String], isFailure: Bool = false) {
        precondition(cells.count == header.count, "a row has \(cells.count) cells for \(header.count) columns")
        rows.append((cells.map(\.sanitized), isFailure))
    }

    /// Returns the header and the rows, one per line; only the header if there are no rows.
    package func rendered(in style: OutputStyle) -> String {
        var widths = header.map(\.displayWidth)
        for row in rows {
            for (column, cell) in row.cells.enumerated() { widths[column] = max(widths[column], cell.displayWidth) }
        }
        var text = style.bold(line(header, widths, style)) + "\n"
        for row in rows {
            let line = line(row.cells, widths, style)
            text += (row.isFailure ? style.red(line) : line) + "\n"
        }
        return text
    }

    private func line(_ cells: [String], _ widths: [Int], _ style: OutputStyle) -> String {
        var text = ""
        var padding = 0
        for (cell, width) in zip(cells, widths) {
            if !cell.isEmpty {
                text += String(repeating: " ", count: padding) + cell
                padding = 0
            }
            padding += width - cell.displayWidth + 2
        }
        while text.last == " " { text.removeLast() }
        guard let columns = style.columns, text.displayWidth > columns else { return text }
        while text.displayWidth >= columns, !text.isEmpty { text.removeLast() }
        return text + "…"
    }
}
