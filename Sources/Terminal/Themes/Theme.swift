import Core

/// The RGB values of the default and palette colors that programs select.
package struct Theme: Hashable, Sendable {
    package let name: String
    package private(set) var background: RGB
    package private(set) var foreground: RGB
    package private(set) var cursor: RGB
    /// Colors 0 to 15.
    package private(set) var palette: [RGB]
    /// Other colors that differ from those of xterm.
    private var others: [Int: RGB] = [:]

    /// A color with eight bits each for red, green and blue.
    package struct RGB: Hashable, Sendable {
        package let value: UInt32

        package init(_ value: UInt32) {
            self.value = value & 0xFF_FFFF
        }

        init(_ red: Int, _ green: Int, _ blue: Int) {
            value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        }

        /// The color as `#rrggbb`.
        package var text: String {
            let digits = String(value, radix: 16)
            return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
        }

        /// The color as `#rgb` if possible, otherwise as `#rrggbb`.
        var shortText: String {
            let text = text
            let digits = Array(text.utf8)
            guard digits[1] == digits[2], digits[3] == digits[4], digits[5] == digits[6] else { return text }
            return "#" + String(decoding: [digits[1], digits[3], digits[5]], as: UTF8.self)
        }

        /// A mix of two parts of this color and one part of another.
        func faded(to other: RGB) -> RGB {
            func part(_ shift: UInt32) -> Int {
                (Int(value >> shift & 255) * 2 + Int(other.value >> shift & 255)) / 3
            }
            return RGB(part(16), part(8), part(0))
        }
    }

    /// `palette` contains colors 0 to 15.
    package init(_ name: String, _ background: UInt32, _ foreground: UInt32, _ cursor: UInt32, _ palette: [UInt32]) {
        self.name = name
        self.background = RGB(background)
        self.foreground = RGB(foreground)
        self.cursor = RGB(cursor)
        self.palette = palette.map(RGB.init)
    }

    /// Returns the theme with the colors that a program has set.
    package func with(_ colors: TerminalColors) -> Theme {
        guard !colors.isEmpty else { return self }
        var theme = self
        for (slot, value) in colors.all {
            switch (slot.paletteIndex, slot) {
            case (let index?, _) where index < palette.count: theme.palette[index] = RGB(value)
            case (let index?, _): theme.others[index] = RGB(value)
            case (nil, .foreground): theme.foreground = RGB(value)
            case (nil, .background): theme.background = RGB(value)
            case (nil, .cursor): theme.cursor = RGB(value)
            default: break
            }
        }
        return theme
    }

    /// Returns nil for a name that is not in `all`.
    package static func named(_ name: String) -> Theme? {
        all.first { $0.name == name }
    }

    /// The color with an index: from the palette, or from the color cube and grays of xterm's 256 colors.
    package func color(_ index: UInt8) -> RGB {
        let number = Int(index)
        guard number >= 16 else { return palette[number] }
        if let color = others[number] { return color }
        guard number < 232 else {
            return RGB(8 + (number - 232) * 10, 8 + (number - 232) * 10, 8 + (number - 232) * 10)
        }
        let levels = [0, 95, 135, 175, 215, 255]
        let place = number - 16
        return RGB(levels[place / 36], levels[place / 6 % 6], levels[place % 6])
    }

    /// The RGB value of a color; nil for the terminal's default color.
    func color(_ color: Color) -> RGB? {
        switch color.kind {
        case .standard: nil
        case .indexed(let index): self.color(index)
        case .rgb(let red, let green, let blue): RGB(Int(red), Int(green), Int(blue))
        }
    }

    /// The colors in which text with a style is shown; the background is nil if it is the screen's background.
    func colors(of style: Style, isReversed: Bool) -> (text: RGB, background: RGB?, underline: RGB) {
        let (ownText, ownBackground) = isReversed ? (background, foreground) : (foreground, background)
        var text = color(style.foreground) ?? ownText
        var back = color(style.background)
        if style.attributes.contains(.inverse) { (text, back) = (back ?? ownBackground, text) }
        if style.attributes.contains(.dim) { text = text.faded(to: back ?? ownBackground) }
        if style.attributes.contains(.concealed) { text = back ?? ownBackground }
        return (text, back == ownBackground ? nil : back, color(style.underlineColor) ?? text)
    }
}
