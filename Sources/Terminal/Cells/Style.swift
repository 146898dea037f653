/// The appearance of a character: SGR attributes (ECMA-48 §8.3.117, xterm's ctlseqs), link, and protection (DECSCA).
package struct Style: Hashable, TableValue {
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 1 << 1)
        package static let italic = Attributes(rawValue: 1 << 2)
        package static let blink = Attributes(rawValue: 1 << 3)
        package static let inverse = Attributes(rawValue: 1 << 4)
        package static let concealed = Attributes(rawValue: 1 << 5)
        package static let struck = Attributes(rawValue: 1 << 6)
        package static let overlined = Attributes(rawValue: 1 << 7)
        /// The character is protected from selective erasing.
        package static let protected = Attributes(rawValue: 1 << 8)
    }

    /// The underline styles, numbered as in SGR `4:n`.
    package enum Underline: UInt8, Sendable {
        case none, single, double, curly, dotted, dashed
    }

    package var foreground = Color.standard
    package var background = Color.standard
    package var underlineColor = Color.standard
    package var attributes: Attributes = []
    package var underline = Underline.none
    /// The number of the link in the link table, starting at 1; 0 for none.
    var link: UInt32 = 0

    package init() {}

    /// The initial style.
    package static let plain = Style()
    static var zero: Style { plain }

    /// The style of cells erased while this style is selected: only its colors, as in xterm.
    var erasing: Style {
        var style = Style()
        style.foreground = foreground
        style.background = background
        return style
    }

    @inline(__always)
    var words: (UInt64, UInt64) {
        (
            UInt64(foreground.raw) << 32 | UInt64(background.raw),
            UInt64(underlineColor.raw) << 32 | UInt64(attributes.rawValue) << 16 | UInt64(underline.rawValue)
                ^ UInt64(link) << 40
        )
    }
}
