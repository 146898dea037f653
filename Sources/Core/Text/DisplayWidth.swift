extension String {
    /// The number of terminal cells the text occupies.
    ///
    /// Wide and fullwidth characters (Unicode Standard Annex #11) and emoji occupy two cells; a character with
    /// combining marks is as wide as its first scalar. Control characters count as one cell, because text is sanitized
    /// before it is displayed.
    package var displayWidth: Int {
        // Fast path: most text is ASCII and needs no grapheme breaking.
        let isASCII = utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\r") }
        return isASCII ? utf8.count : reduce(0) { $0 + $1.displayWidth }
    }
}

extension Character {
    /// The number of terminal cells the character occupies.
    package var displayWidth: Int {
        guard let scalar = unicodeScalars.first, !scalar.isASCII else { return 1 }
        if scalar.properties.isEmojiPresentation || unicodeScalars.contains("\u{fe0f}") { return 2 }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
            0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f200...0x1f2ff, 0x20000...0x3fffd:
            return 2
        default:
            return scalar.properties.generalCategory == .nonspacingMark ? 0 : 1
        }
    }
}
