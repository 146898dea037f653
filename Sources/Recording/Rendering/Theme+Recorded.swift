import Terminal

extension Theme {
    /// The colours of the terminal that was recorded; the cursor has that of text.
    package init?(recorded theme: RecordingTheme) {
        func color(_ text: String) -> UInt32? { UInt32(text.dropFirst(), radix: 16) }
        let palette = theme.palette.compactMap(color)
        guard let background = color(theme.background), let foreground = color(theme.foreground), palette.count == 16
        else { return nil }
        self.init("recorded", background, foreground, foreground, palette)
    }
}
