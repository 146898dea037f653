/// Drawing box drawing and block characters; shapes that continue in the next cell are merged.
extension AnimatedRow {
    /// Returns a path for the first of the characters, and the number of characters that the path covers; nil if the
    /// first one is drawn as text.
    static func shape(_ characters: ArraySlice<ScreenCell>, _ left: Int) -> (data: String, cells: Int)? {
        guard let text = characters.first?.text, let scalar = text.unicodeScalars.first?.value,
            0x2500...0x259F ~= scalar
        else { return nil }
        let cells = repeats(scalar) ? characters.prefix { $0.text == text }.count : 1
        // A line is one pixel (1.25 units) wide; shifted by half of that, it covers exactly one row or column of
        // pixels.
        let drawing = BoxDrawing(width: width * 100 * cells, height: height * 100, line: 126)
        let shift = scalar < 0x2580 ? 62 : 0
        guard let data = drawing.path(text, left * 100 + shift, shift - baseline * 100) else { return nil }
        return (data, cells)
    }

    /// Whether the shape is uniform from its left to its right edge.
    private static func repeats(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2500, 0x2501, 0x2550, 0x2580...0x2588, 0x2594: true
        default: false
        }
    }
}
