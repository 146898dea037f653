import Core
import Terminal

/// A screen in VibeTunnel's format, version 1 (`encodeSnapshot` in `terminal-manager.ts`), with little-endian numbers.
///
/// A wide character is one cell; its width is not part of the format.
package struct VibeTunnelSnapshot: Hashable, Sendable {
    package var columns: Int
    /// The first row of the screen in upstream's buffer of lines.
    package var viewportRow: Int
    /// The position of the cursor, which can be below the rows.
    package var cursorColumn: Int
    package var cursorRow: Int
    /// The cells of each row up to the last one that is not blank.
    package var rows: [[VibeTunnelCell]]

    private static let magic: UInt16 = 0x5654
    private static let version: UInt8 = 1
    private static let emptyRow: UInt8 = 0xFE
    private static let row: UInt8 = 0xFD
    /// The limits of the largest terminal (`TerminalSize`).
    private static let sideLimit: UInt32 = 10_000
    private static let cellLimit = 1_000_000

    package init(columns: Int, rows: [[VibeTunnelCell]], cursor: (column: Int, row: Int) = (0, 0)) {
        (self.columns, self.rows, viewportRow) = (columns, rows, 0)
        (cursorColumn, cursorRow) = cursor
    }

    /// The snapshot of a screen; with `isTrimmed`, without blank rows at the end.
    ///
    /// An encoded snapshot has at least 32 bytes, because upstream's iOS client ignores shorter ones.
    package init(_ screen: Screen, isTrimmed: Bool) {
        self.init(
            columns: screen.size.columns,
            rows: screen.rows.map { $0.cells.map { VibeTunnelCell($0) } },
            cursor: (screen.cursor.column, screen.cursor.row)
        )
        if isTrimmed {
            while rows.count > 1, rows.last?.isEmpty == true { rows.removeLast() }
        }
        if rows == [[]] { rows = [[VibeTunnelCell()]] }
    }

    /// Decodes a snapshot; returns nil if it is malformed, or has another version.
    package init?(_ bytes: [UInt8]) {
        var reader = LittleEndianReader(bytes[...])
        guard reader.uint16() == Self.magic, reader.byte() == Self.version, reader.byte() != nil,
            let columns = reader.uint32(), let rowCount = reader.uint32(), let viewport = reader.uint32(),
            let cursorColumn = reader.uint32(), let cursorRow = reader.uint32(), reader.uint32() != nil,
            columns <= Self.sideLimit, rowCount <= Self.sideLimit, let rows = Self.rows(&reader, limit: Int(rowCount))
        else { return nil }
        self.columns = Int(columns)
        self.rows = rows
        viewportRow = Int(Int32(bitPattern: viewport))
        self.cursorColumn = Int(Int32(bitPattern: cursorColumn))
        self.cursorRow = Int(Int32(bitPattern: cursorRow))
    }

    private static func rows(_ reader: inout LittleEndianReader, limit: Int) -> [[VibeTunnelCell]]? {
        var rows: [[VibeTunnelCell]] = []
        var cellCount = 0
        while rows.count < limit, let mark = reader.byte() {
            if mark == emptyRow {
                guard let count = reader.byte() else { return nil }
                rows += repeatElement([], count: min(Int(count), limit - rows.count))
                continue
            }
            guard mark == row, let count = reader.uint16() else { return nil }
            cellCount += Int(count)
            guard cellCount <= cellLimit else { return nil }
            var cells: [VibeTunnelCell] = []
            for _ in 0..<count {
                guard let cell = VibeTunnelCell(&reader) else { return nil }
                cells.append(cell)
            }
            rows.append(cells)
        }
        return rows
    }

    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(Self.magic)
        bytes += [Self.version, 0]
        bytes.appendLittleEndian(UInt32(columns))
        bytes.appendLittleEndian(UInt32(rows.count))
        for number in [viewportRow, cursorColumn, cursorRow] { bytes.appendLittleEndian(Int32(clamping: number)) }
        bytes.appendLittleEndian(UInt32(0))
        for cells in rows {
            if cells.isEmpty {
                bytes += [Self.emptyRow, 1]
            } else {
                bytes.append(Self.row)
                bytes.appendLittleEndian(UInt16(clamping: cells.count))
                for cell in cells.prefix(Int(UInt16.max)) { cell.append(to: &bytes) }
            }
        }
        return bytes
    }
}
