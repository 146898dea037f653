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

    static let magic: UInt16 = 0x5654
    static let version: UInt8 = 1
    static let emptyRow: UInt8 = 0xFE
    static let row: UInt8 = 0xFD

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

    /// A binary message on the WebSocket `/buffers` of VibeTunnel's servers until December 2025, which consists of an ID
    /// of a session and an encoded snapshot.
    package static func message(_ encoded: [UInt8], of session: String) -> [UInt8] {
        var bytes = [messageMagic]
        bytes.appendCounted(session.utf8)
        return bytes + encoded
    }

    static let messageMagic: UInt8 = 0xBF
}
