import Core

/// Encodes keys for the keyboard modes set by a program.
///
/// The modes are application cursor keys (DECCKM), the application keypad (DECKPAM), the codes of BSpace (DECBKM) and
/// Enter (LNM), xterm's modifyOtherKeys and formatOtherKeys (xterm's "Modified Keys"), and kitty's keyboard protocol
/// (sw.kovidgoyal.net/kitty/keyboard-protocol). As in xterm, modifiers that cannot be expressed are ignored.
package struct KeyEncoder: Sendable {
    private let modes: Modes
    private let keypadIsApplication: Bool
    private let modifiedKeys: Int
    private let formatsAsCSIu: Bool
    private let flags: KittyFlags

    /// The flags of kitty's protocol ("Progressive enhancement").
    private struct KittyFlags: OptionSet {
        let rawValue: UInt8

        static let disambiguate = KittyFlags(rawValue: 1)
        static let eventTypes = KittyFlags(rawValue: 2)
        static let alternates = KittyFlags(rawValue: 4)
        static let allKeys = KittyFlags(rawValue: 8)
        static let text = KittyFlags(rawValue: 16)
    }

    /// Uses the current modes of a terminal.
    package init(_ emulator: Emulator) {
        modes = emulator.modes
        keypadIsApplication = emulator.keypadIsApplication
        modifiedKeys = emulator.modifiedKeys
        formatsAsCSIu = emulator.formatsKeysAsCSIu
        flags = KittyFlags(rawValue: emulator.keyboard.current)
    }

    /// Returns the bytes that a key sends.
    ///
    /// - Throws: `negative` for Super and Hyper, and for a modifier that stands for the number of a function key already,
    ///   such as S-F13, unless the program has enabled kitty's protocol.
    package func bytes(of key: Key) throws(VTError) -> [UInt8] {
        if let text = kitty(key) { return Array(text.utf8) }
        guard key.modifiers.isDisjoint(with: [.super, .hyper]) else {
            throw VTError(
                .negative,
                "Super and Hyper require kitty's keyboard protocol, which the program has not enabled"
            )
        }
        guard key.modifiers.isDisjoint(with: key.implied) else {
            throw VTError(
                .negative,
                "F13 to F24 with Shift, and F25 to F35 with Control, require kitty's keyboard protocol, which the program has "
                    + "not enabled"
            )
        }
        return Array(legacy(key).utf8)
    }

    // MARK: - Kitty's protocol

    /// Returns what kitty sends; nil if it is the same as without the protocol.
    private func kitty(_ key: Key) -> String? {
        let codes: KittyFlags = [.disambiguate, .allKeys]
        guard !flags.isDisjoint(with: codes.union(.eventTypes)) else { return nil }
        let modifiers = key.modifiers
        let types = modifiers.isSubset(of: .shift)
        if let code = key.code, !flags.isDisjoint(with: codes) || !key.implied.isEmpty {
            guard case .keypad(let character, _) = key.base, character != "\r", types else {
                return sequence(code, modifiers)
            }
            return flags.contains(.allKeys) ? sequence(code, modifiers, text: character) : String(character)
        }
        switch key.base {
        case .letter("R"): return sequence(13, modifiers, final: "~")
        case .letter(let letter): return sequence(1, modifiers, final: letter)
        case .number(let number): return sequence(number, modifiers, final: "~")
        case .control(let code):
            let isAmbiguous = code == 0x1B && flags.contains(.disambiguate)
            guard !modifiers.isEmpty || flags.contains(.allKeys) || isAmbiguous else { return nil }
            return sequence(Int(code), modifiers)
        case .character(let character):
            guard flags.contains(.allKeys) || flags.contains(.disambiguate) && !types,
                let scalar = Self.scalar(of: character)
            else { return nil }
            let typed = Self.typed(character, modifiers)
            let shifted = flags.contains(.alternates) && typed != character ? Self.scalar(of: typed) : nil
            return sequence(scalar, shifted: shifted, modifiers, text: types ? typed : nil)
        case .keypad: return nil
        }
    }

    private func sequence(
        _ code: Int,
        shifted: Int? = nil,
        _ modifiers: Key.Modifiers,
        text: Character? = nil,
        final: Character = "u"
    ) -> String {
        let alternate = shifted.map { ":\($0)" } ?? ""
        let parameter = modifiers.isEmpty ? "" : "\(modifiers.parameter)"
        if let text, flags.isSuperset(of: [.allKeys, .text]) {
            let scalars = text.unicodeScalars.map { "\($0.value)" }.joined(separator: ":")
            return "\u{1B}[\(code)\(alternate);\(parameter);\(scalars)u"
        }
        if parameter.isEmpty { return "\u{1B}[\(code == 1 ? "" : "\(code)\(alternate)")\(final)" }
        return "\u{1B}[\(code)\(alternate);\(parameter)\(final)"
    }

    // MARK: - xterm

    private func legacy(_ key: Key) -> String {
        let modifiers = key.modifiers.union(key.implied)
        let parameter = modifiers.isEmpty ? "" : "\(modifiers.parameter)"
        switch key.base {
        case .letter(let letter):
            if !modifiers.isEmpty { return "\u{1B}[1;\(parameter)\(letter)" }
            let isSingleShift = "PQRS".contains(letter) || modes[.applicationCursor]
            return isSingleShift ? "\u{1B}O\(letter)" : "\u{1B}[\(letter)"
        case .number(let number): return "\u{1B}[\(number)\(modifiers.isEmpty ? "" : ";\(parameter)")~"
        case .keypad(_, let letter) where keypadIsApplication: return "\u{1B}O\(parameter)\(letter)"
        case .keypad("\r", _): return control(0x0D, modifiers)
        case .keypad(let character, _): return text(character, modifiers)
        case .control(let code): return control(code, modifiers)
        case .character(let character): return text(character, modifiers)
        }
    }

    /// Encodes Enter, Tab, Escape or BSpace.
    private func control(_ code: UInt8, _ modifiers: Key.Modifiers) -> String {
        let isModified =
            switch (modifiedKeys, code) {
            case (0, _), (1, 0x7F): false
            case (1, 0x09): !modifiers.isSubset(of: .shift)
            case (1, 0x1B): ![[], .shift].contains(modifiers.subtracting(.control))
            default: !modifiers.isEmpty
            }
        if isModified { return modified(Int(code), modifiers) }
        let plain =
            switch code {
            case 0x09 where modifiers.contains(.shift): "\u{1B}[Z"
            case 0x0D where modes[.newLine]: "\r\n"
            case 0x7F: modifiers.contains(.control) == modes[.backspaceKey] ? "\u{7F}" : "\u{8}"
            default: String(UnicodeScalar(code))
            }
        return modifiers.contains(.alt) ? "\u{1B}\(plain)" : plain
    }

    private func text(_ character: Character, _ modifiers: Key.Modifiers) -> String {
        let typed = Self.typed(character, modifiers)
        let control = modifiers.contains(.control) ? Self.controlCharacter(typed) : nil
        let isModified =
            switch modifiedKeys {
            case 0: false
            // Control characters, and Alt as ESC, are the keys with well-known behavior that level 1 excepts.
            case 1: modifiers.contains(.control) && (control == nil || modifiers.contains(.shift))
            default: !modifiers.isSubset(of: .shift) || modifiers == .shift && character == " "
            }
        if isModified, let scalar = Self.scalar(of: typed) {
            return modified(scalar, Self.shifted.contains(typed) ? modifiers.union(.shift) : modifiers)
        }
        return (modifiers.contains(.alt) ? "\u{1B}" : "") + String(control ?? typed)
    }

    private func modified(_ code: Int, _ modifiers: Key.Modifiers) -> String {
        formatsAsCSIu ? "\u{1B}[\(code);\(modifiers.parameter)u" : "\u{1B}[27;\(modifiers.parameter);\(code)~"
    }

    // MARK: - Characters

    /// The characters that are typed with Shift on a US keyboard, apart from letters.
    private static let shifted = Set("~!@#$%^&*()_+{}|:\"<>?")

    private static func typed(_ character: Character, _ modifiers: Key.Modifiers) -> Character {
        guard modifiers.contains(.shift) else { return character }
        let upper = String(character).uppercased()
        return upper.count == 1 ? Character(upper) : character
    }

    private static func scalar(of character: Character) -> Int? {
        character.unicodeScalars.count == 1 ? character.unicodeScalars.first.map { Int($0.value) } : nil
    }

    /// Returns the character that a key types with Control: those of X (XLookupString(3)), and DEL for `?`.
    private static func controlCharacter(_ character: Character) -> Character? {
        guard let byte = character.asciiValue else { return nil }
        let control: UInt8? =
            switch byte {
            case UInt8(ascii: "@")...UInt8(ascii: "~"), UInt8(ascii: " "): byte & 0x1F
            case UInt8(ascii: "2"): 0
            case UInt8(ascii: "3")...UInt8(ascii: "7"): byte - UInt8(ascii: "3") + 0x1B
            case UInt8(ascii: "8"), UInt8(ascii: "?"): 0x7F
            case UInt8(ascii: "/"): 0x1F
            default: nil
            }
        return control.map { Character(UnicodeScalar($0)) }
    }
}
