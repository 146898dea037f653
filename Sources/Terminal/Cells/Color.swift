/// A color as specified by a program.
package struct Color: Hashable, Sendable {
    /// 0 for the default color, `1 << 24` plus an index, or `2 << 24` plus eight bits each for red, green and blue.
    let raw: UInt32

    package enum Kind: Hashable, Sendable {
        case standard
        case indexed(UInt8)
        case rgb(red: UInt8, green: UInt8, blue: UInt8)
    }

    /// The terminal's default color for text, background or underline.
    package static let standard = Color(raw: 0)

    package static func indexed(_ index: UInt8) -> Color {
        Color(raw: 1 << 24 | UInt32(index))
    }

    package static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(raw: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    package var kind: Kind {
        switch raw >> 24 {
        case 1: .indexed(UInt8(truncatingIfNeeded: raw))
        case 2:
            .rgb(
                red: UInt8(truncatingIfNeeded: raw >> 16),
                green: UInt8(truncatingIfNeeded: raw >> 8),
                blue: UInt8(truncatingIfNeeded: raw)
            )
        default: .standard
        }
    }
}
