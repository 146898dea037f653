import Core

/// Encodes keys for the keyboard modes set by a program.
///
/// Names and bytes are the same as in `KeyName`, but three modes change some of the bytes: application cursor keys
/// (DECCKM), kitty's keyboard protocol when it disambiguates keys (1) or reports all of them (8), and xterm's
/// modifyOtherKeys 2.
package struct KeyEncoder: Sendable {
    private let hasApplicationCursor: Bool
    private let flags: UInt8
    private let modifiedKeys: Int

    /// Uses the current modes of a terminal.
    package init(_ emulator: Emulator) {
        hasApplicationCursor = emulator.modes[.applicationCursor]
        flags = emulator.keyboard.current
        modifiedKeys = emulator.modifiedKeys
    }

    /// Returns the bytes of a key such as `C-c`, `M-x`, `Up` or `a`.
    ///
    /// - Throws: `usage` for an unknown key.
    package func bytes(of name: String) throws(VTError) -> [UInt8] {
        let name = KeyName.withShortModifiers(name)
        let plain = try KeyName.bytes(of: name)
        if hasApplicationCursor, plain.count == 3, plain[0] == 0x1B, plain[1] == UInt8(ascii: "["),
            Self.cursorKeys.contains(plain[2])
        {
            return [0x1B, UInt8(ascii: "O"), plain[2]]
        }
        guard flags & 9 != 0 || modifiedKeys == 2 else { return plain }
        return modified(name, plain) ?? plain
    }

    private static let cursorKeys = Array("ABCDHF".utf8)

    /// Encodes a character key as an escape sequence; nil if its plain bytes are sent.
    private func modified(_ name: String, _ plain: [UInt8]) -> [UInt8]? {
        if plain == Array("\u{1B}[Z".utf8) { return sequence(9, shift: 1) }
        var bytes = plain[...]
        let hasAlt = bytes.count > 1 && bytes.first == 0x1B
        if hasAlt { bytes = bytes.dropFirst() }
        guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.count == 1,
            let scalar = text.unicodeScalars.first?.value
        else { return nil }
        let hasControl = name.hasPrefix("^") || name.hasPrefix("C-") || name.hasPrefix("M-C-")
        let code = hasControl ? Self.typed(scalar) : scalar
        let modifiers = (hasAlt ? 2 : 0) + (hasControl ? 4 : 0)
        if modifiers > 0 { return sequence(code, shift: modifiers) }
        guard flags & 9 != 0 else { return nil }
        if scalar == 0x1B { return sequence(27, shift: 0) }
        guard flags & 8 != 0 else { return nil }
        return sequence(code, shift: 0)
    }

    /// The character that, together with Control, produces a control character.
    private static func typed(_ control: UInt32) -> UInt32 {
        switch control {
        case 0: 0x20
        case 1...26: control + 0x60
        case 27...31: control + 0x40
        case 0x7F: 0x3F
        default: control
        }
    }

    private func sequence(_ code: UInt32, shift modifiers: Int) -> [UInt8] {
        if flags & 9 == 0 { return Array("\u{1B}[27;\(modifiers + 1);\(code)~".utf8) }
        return Array((modifiers == 0 ? "\u{1B}[\(code)u" : "\u{1B}[\(code);\(modifiers + 1)u").utf8)
    }
}
