/// The size of a terminal in character cells: 1–10,000 in each dimension, and at most a million cells.
///
/// A displayed cell uses about 80 bytes, so the largest terminal uses less than 100 MB.
package struct TerminalSize: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    /// The default size.
    package static let standard = TerminalSize(unchecked: 80, 24)

    private static let sides = 1...10_000
    private static let cellLimit = 1_000_000

    /// Returns nil unless both dimensions are 1–10,000 and there are at most a million cells.
    package init?(columns: Int, rows: Int) {
        guard Self.sides.contains(columns), Self.sides.contains(rows), columns * rows <= Self.cellLimit else {
            return nil
        }
        self.init(unchecked: columns, rows)
    }

    /// - Parameter text: `COLSxROWS`, such as `132x43`.
    /// - Throws: `usage` when the text does not have this form, or the size is out of range.
    package init(parsing text: String) throws(VTError) {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let columns = Int(parts[0]), let rows = Int(parts[1]),
            let size = TerminalSize(columns: columns, rows: rows)
        else {
            throw VTError(
                .usage,
                "invalid terminal size '\(text)'",
                hint: "use COLSxROWS, such as 80x24, with at most 1000000 cells"
            )
        }
        self = size
    }

    /// The size of a terminal with the same width and a single row.
    package var oneRow: TerminalSize { TerminalSize(unchecked: columns, 1) }

    private init(unchecked columns: Int, _ rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// As on the command line: `80x24`.
extension TerminalSize: JSONReadable {
    package static var jsonType: JSONType { .string }

    package init(_ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        self = try json.valid(json.string(in: document).flatMap { try? TerminalSize(parsing: $0) })
    }

    package func write(to writer: inout JSONWriter) { writer.string("\(columns)x\(rows)") }
}
