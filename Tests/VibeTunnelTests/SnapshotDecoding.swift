import Terminal

@testable import VibeTunnel

extension VibeTunnelSnapshot {
    /// The limits of the largest terminal (`TerminalSize`).
    private static let sideLimit: UInt32 = 10_000
    private static let cellLimit = 1_000_000

    /// Decodes a snapshot; returns nil if it is malformed, or has another version.
    init?(_ bytes: [UInt8]) {
        var reader = LittleEndianReader(bytes[...])
        guard reader.uint16() == Self.magic, reader.byte() == Self.version, reader.byte() != nil,
            let columns = reader.uint32(), let rowCount = reader.uint32(), let viewport = reader.uint32(),
            let cursorColumn = reader.uint32(), let cursorRow = reader.uint32(), reader.uint32() != nil,
            columns <= Self.sideLimit, rowCount <= Self.sideLimit, let rows = Self.rows(&reader, limit: Int(rowCount))
        else { return nil }
        self.init(columns: Int(columns), rows: rows)
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
}

extension VibeTunnelCell {
    /// Reads a cell: its type, text, attributes, foreground and background; nil if it is malformed.
    init?(_ reader: inout LittleEndianReader) {
        guard let type = reader.byte() else { return nil }
        self.init()
        switch type & Bit.text {
        case 0: break
        case Bit.asciiText:
            guard let byte = reader.byte() else { return nil }
            text = String(Character(Unicode.Scalar(byte)))
        case Bit.unicodeText:
            guard let count = reader.byte(), let bytes = reader.bytes(Int(count)) else { return nil }
            text = String(decoding: bytes, as: UTF8.self)
        default: return nil
        }
        guard type & Bit.extended != 0 else { return }
        guard let attributes = reader.byte() else { return nil }
        self.attributes = Attributes(rawValue: attributes)
        if type & Bit.foreground != 0 {
            guard let color = Self.color(&reader, isRGB: type & Bit.foregroundRGB != 0) else { return nil }
            foreground = color
        }
        if type & Bit.background != 0 {
            guard let color = Self.color(&reader, isRGB: type & Bit.backgroundRGB != 0) else { return nil }
            background = color
        }
    }

    private static func color(_ reader: inout LittleEndianReader, isRGB: Bool) -> Color? {
        guard isRGB else { return reader.byte().map { .indexed($0) } }
        guard let red = reader.byte(), let green = reader.byte(), let blue = reader.byte() else { return nil }
        return .rgb(red, green, blue)
    }
}

/// A decoded message of `VibeTunnelSnapshot.message`.
struct VibeTunnelBuffer {
    let session: String
    /// An encoded `VibeTunnelSnapshot`.
    let snapshot: [UInt8]

    /// Decodes a message; returns nil if it is malformed.
    init?(message: [UInt8]) {
        var reader = LittleEndianReader(message[...])
        guard message.count <= VibeTunnelFrame.limitBytes, reader.byte() == VibeTunnelSnapshot.messageMagic,
            let session = reader.counted()
        else { return nil }
        self.session = String(decoding: session, as: UTF8.self)
        snapshot = Array(message.dropFirst(1 + 4 + session.count))
    }

    var encoded: [UInt8] { VibeTunnelSnapshot.message(snapshot, of: session) }
}
