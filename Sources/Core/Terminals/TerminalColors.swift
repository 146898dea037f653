/// Terminal colors that programs can query and set: the palette, and the colors of text, cursor and selection.
///
/// The colors correspond to OSC 4, 5 and 10 to 19 in xterm's ctlseqs.
package struct TerminalColors: Hashable, Sendable {
    /// Identifies a color.
    package struct Slot: Hashable, Sendable {
        let number: UInt16

        private init(_ number: Int) {
            self.number = UInt16(number)
        }

        fileprivate init?(wire number: UInt16) {
            guard (0..<Self.specialBase + Self.specialCount).contains(Int(number)) || number >= 522 && number <= 531
            else { return nil }
            self.number = number
        }

        private static let specialBase = 256
        /// The number of special colors: the colors of bold, underlined, blinking, reversed and italic text.
        private static let specialCount = 5
        private static let dynamicBase = 512

        /// A palette color, 0 to 255, or a special color, 256 to 260, as in xterm; nil for other indices.
        package static func palette(_ index: Int) -> Slot? {
            (0..<specialBase + specialCount).contains(index) ? Slot(index) : nil
        }

        package static func special(_ index: Int) -> Slot? {
            (0..<specialCount).contains(index) ? Slot(specialBase + index) : nil
        }

        /// The color set by the OSC sequence with this number, 10 to 19.
        package static func dynamic(_ command: Int) -> Slot? {
            (10...19).contains(command) ? Slot(dynamicBase + command) : nil
        }

        package static let foreground = Slot(dynamicBase + 10)
        package static let background = Slot(dynamicBase + 11)
        package static let cursor = Slot(dynamicBase + 12)

        /// The palette index, if this is a palette color.
        package var paletteIndex: Int? { number < Self.specialBase ? Int(number) : nil }
        package var specialIndex: Int? {
            (Self.specialBase..<Self.dynamicBase).contains(Int(number)) ? Int(number) - Self.specialBase : nil
        }
        /// The number of the OSC sequence that sets the color, 10 to 19; nil for other colors.
        package var dynamicCommand: Int? { Int(number) > Self.dynamicBase ? Int(number) - Self.dynamicBase : nil }
    }

    /// The colors as 0xRRGGBB.
    private var values: [Slot: UInt32] = [:]

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    /// The known colors, in a fixed order.
    package var all: [(slot: Slot, value: UInt32)] {
        values.sorted { $0.key.number < $1.key.number }.map { ($0.key, $0.value) }
    }

    /// A color as 0xRRGGBB; nil if it is not known.
    package subscript(_ slot: Slot) -> UInt32? {
        get { values[slot] }
        set { values[slot] = newValue.map { $0 & 0xFF_FFFF } }
    }

    package mutating func removeAll(where isRemoved: (Slot) -> Bool) {
        values = values.filter { !isRemoved($0.key) }
    }

    // MARK: - Text format

    /// Parses `rgb:R/G/B` with one to four digits each, or `#` and 3, 6, 9 or 12 digits (XParseColor(3)); nil for any
    /// other text, including color names.
    ///
    /// The eight most significant bits of each component are used.
    package static func value(of text: ArraySlice<UInt8>) -> UInt32? {
        let parts: [[UInt8]]
        if text.first == UInt8(ascii: "#") {
            let digits = Array(text.dropFirst())
            guard digits.count % 3 == 0, (1...4).contains(digits.count / 3) else { return nil }
            let width = digits.count / 3
            parts = (0..<3).map { Array(digits[$0 * width..<($0 + 1) * width]) }
        } else {
            guard text.starts(with: Array("rgb:".utf8)) else { return nil }
            parts = text.dropFirst(4).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(
                Array.init
            )
        }
        guard parts.count == 3 else { return nil }
        let isScaled = text.first != UInt8(ascii: "#")
        var value: UInt32 = 0
        for part in parts {
            guard (1...4).contains(part.count), let number = UInt32(String(decoding: part, as: UTF8.self), radix: 16),
                part.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
            else { return nil }
            let bits = UInt32(part.count * 4)
            // With `#` the digits are the most significant bits; with `rgb:` they are scaled.
            let wide = isScaled ? number * 65535 / ((1 << bits) - 1) : number << (16 - bits)
            value = value << 8 | wide >> 8
        }
        return value
    }

    /// `rgb:RRRR/GGGG/BBBB`, the format of terminal replies.
    package static func text(of value: UInt32) -> String {
        let parts = [16, 8, 0].map { shift in
            let digits = String(value >> UInt32(shift) & 0xFF, radix: 16)
            let pair = digits.utf8.count == 1 ? "0\(digits)" : digits
            return pair + pair
        }
        return "rgb:" + parts.joined(separator: "/")
    }

    /// Whether this background is dark, by its luminance (ITU-R BT.601).
    package static func isDark(_ background: UInt32) -> Bool {
        let (red, green, blue) = (background >> 16 & 0xFF, background >> 8 & 0xFF, background & 0xFF)
        return 299 * red + 587 * green + 114 * blue < 128_000
    }

    // MARK: - Wire format

    /// Each known color: two bytes for its slot, then three for its components.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (slot, value) in all {
            bytes.appendBigEndian(slot.number)
            bytes += [UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
        }
        return bytes
    }

    /// Parses entries, skipping unknown slots; nil if the last entry is incomplete.
    package init?(decoding bytes: ArraySlice<UInt8>) {
        var reader = WireReader(bytes)
        while !reader.isAtEnd {
            guard let number = reader.uint16(), let parts = reader.bytes(3) else { return nil }
            guard let slot = Slot(wire: number) else { continue }
            values[slot] = parts.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
