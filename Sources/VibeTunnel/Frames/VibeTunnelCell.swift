import Terminal

/// A character in a snapshot.
package struct VibeTunnelCell: Hashable, Sendable {
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 0x01)
        package static let italic = Attributes(rawValue: 0x02)
        package static let underline = Attributes(rawValue: 0x04)
        package static let dim = Attributes(rawValue: 0x08)
        package static let inverse = Attributes(rawValue: 0x10)
        package static let invisible = Attributes(rawValue: 0x20)
        package static let struck = Attributes(rawValue: 0x40)
    }

    /// The character with its combining marks, up to 255 bytes in UTF-8; a space if nothing was written.
    package var text: String
    package var attributes: Attributes
    package var foreground: Color
    package var background: Color

    package init(
        text: String = " ",
        attributes: Attributes = [],
        foreground: Color = .standard,
        background: Color = .standard
    ) {
        (self.text, self.attributes) = (text, attributes)
        (self.foreground, self.background) = (foreground, background)
    }

    /// The cell of a screen; the format has no underline styles, no links, and neither blinking nor overlined text.
    init(_ cell: ScreenCell) {
        self.init(text: cell.shown, foreground: cell.style.foreground, background: cell.style.background)
        let style = cell.style
        let pairs: [(Style.Attributes, Attributes)] = [
            (.bold, .bold), (.italic, .italic), (.dim, .dim), (.inverse, .inverse), (.concealed, .invisible),
            (.struck, .struck),
        ]
        for (own, other) in pairs where style.attributes.contains(own) { attributes.insert(other) }
        if style.underline != .none { attributes.insert(.underline) }
    }

    // MARK: - Encoding

    /// The bits of the first byte of a cell.
    enum Bit {
        /// Attributes and colors follow the text.
        static let extended: UInt8 = 0x80
        static let unicode: UInt8 = 0x40
        static let foreground: UInt8 = 0x20
        static let background: UInt8 = 0x10
        static let foregroundRGB: UInt8 = 0x08
        static let backgroundRGB: UInt8 = 0x04
        static let unicodeText: UInt8 = 0x02
        static let asciiText: UInt8 = 0x01
        static let text: UInt8 = 0x03
    }

    func append(to bytes: inout [UInt8]) {
        let isPlain = attributes.isEmpty && foreground == .standard && background == .standard
        var type = isPlain ? 0 : Bit.extended
        if foreground != .standard { type |= Bit.foreground }
        if background != .standard { type |= Bit.background }
        if foreground.isRGB { type |= Bit.foregroundRGB }
        if background.isRGB { type |= Bit.backgroundRGB }
        appendText(type, to: &bytes)
        guard !isPlain else { return }
        bytes.append(attributes.rawValue)
        for color in [foreground, background] {
            switch color.kind {
            case .standard: break
            case .indexed(let index): bytes.append(index)
            case .rgb(let red, let green, let blue): bytes += [red, green, blue]
            }
        }
    }

    private func appendText(_ type: UInt8, to bytes: inout [UInt8]) {
        let characters = Array(text.utf8)
        if characters == [0x20] {
            bytes.append(type)
        } else if characters.count == 1 {
            bytes += [type | Bit.asciiText, characters[0]]
        } else {
            let known = characters.count <= UInt8.max ? characters : Array("\u{FFFD}".utf8)
            bytes += [type | Bit.unicode | Bit.unicodeText, UInt8(clamping: known.count)] + known
        }
    }
}

extension Color {
    fileprivate var isRGB: Bool {
        if case .rgb = kind { true } else { false }
    }
}
