/// Boxes and blocks of an animation; those that go on in the next cell are drawn as one.
enum AnimatedShapes {
    /// Returns the path of the first of some characters, and of how many of those after it; nil for one of a font.
    static func path(_ characters: ArraySlice<ScreenCell>, _ left: Int) -> (data: String, cells: Int)? {
        guard let text = characters.first?.text, let scalar = text.unicodeScalars.first?.value,
            0x2500...0x259F ~= scalar
        else { return nil }
        let cells = repeats(scalar) ? characters.prefix { $0.text == text }.count : 1
        // Lines are a pixel of 1.25 units wide; moved by half of that, they cover one row or column of pixels whole.
        let drawing = BoxDrawing(width: AnimatedRow.width * 100 * cells, height: AnimatedRow.height * 100, line: 126)
        let shift = scalar < 0x2580 ? 62 : 0
        guard let data = drawing.path(text, left * 100 + shift, shift - AnimatedRow.baseline * 100) else { return nil }
        return (data, cells)
    }

    /// Whether the shape is the same at every place between its left and its right edge.
    private static func repeats(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2500, 0x2501, 0x2550, 0x2580...0x2588, 0x2594: true
        default: false
        }
    }
}
