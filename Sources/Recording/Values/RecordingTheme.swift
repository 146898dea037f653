import Terminal

/// The colors of the recorded terminal.
///
/// See the key `theme` of docs.asciinema.org/manual/asciicast/v2 and v3.
package struct RecordingTheme: Hashable, Sendable {
    /// `#rrggbb`, as written.
    package var foreground: String
    /// `#rrggbb`, as written.
    package var background: String
    /// The colors 0 to 15, each `#rrggbb`.
    package let palette: [String]

    /// Returns nil unless all colors are `#rrggbb` and the palette has 8 or 16 colors; if there are 8, they are also
    /// used as the bright colors.
    package init?(foreground: String, background: String, palette: [String]) {
        guard palette.count == 8 || palette.count == 16,
            ([foreground, background] + palette).allSatisfy(Self.isColor)
        else { return nil }
        self.foreground = foreground
        self.background = background
        self.palette = palette.count == 8 ? palette + palette : palette
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    }
}

extension Theme {
    /// Creates a theme with the colors of the recorded terminal; the cursor has the color of the text.
    package init?(recorded theme: RecordingTheme) {
        func color(_ text: String) -> UInt32? { UInt32(text.dropFirst(), radix: 16) }
        let palette = theme.palette.compactMap(color)
        guard let background = color(theme.background), let foreground = color(theme.foreground), palette.count == 16
        else { return nil }
        self.init("recorded", background, foreground, foreground, palette)
    }
}
