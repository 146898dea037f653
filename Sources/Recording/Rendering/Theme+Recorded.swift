import Terminal

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
