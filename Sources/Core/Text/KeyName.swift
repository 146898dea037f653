/// Translates key names, as used by tmux(1) and readline(3), to the bytes that the keys send.
package enum KeyName {
    /// Parses a name such as `C-c`, `Ctrl-C`, `M-x`, `Up`, `F5`, `KP_Enter`, or a single character.
    ///
    /// `C-`, `M-` and `S-` mean Control, Alt and Shift; `^c` is the same as `C-c`. The keys of the keypad send what
    /// their labels say. The bytes are those that xterm sends
    /// in normal cursor mode (ctlseqs, PC-Style Function Keys).
    ///
    /// - Throws: `usage` for an unknown key.
    package static func bytes(of name: String) throws(VTError) -> [UInt8] {
        var rest = Substring(withShortModifiers(name))
        var modifiers: Set<Character> = []
        if rest.count == 2, rest.first == "^", let character = rest.last {
            (modifiers, rest) = (["C"], Substring(String(character)))
        }
        while rest.count > 2, let first = rest.first, "CMS".contains(first), rest.dropFirst().first == "-" {
            modifiers.insert(first)
            rest = rest.dropFirst(2)
        }
        guard let bytes = named(rest, modifiers) ?? typed(rest, modifiers) else {
            throw VTError(
                .usage,
                "unknown key '\(name)'",
                hint: "use a name such as C-c, M-x, Up, F5, Enter, Tab, Escape, BSpace, PageUp or KP_0"
            )
        }
        return bytes
    }

    /// Returns a name with modifiers such as `Ctrl-` and `Alt+` in the form `C-` and `M-`.
    package static func withShortModifiers(_ name: String) -> String {
        var rest = Substring(name)
        var short = ""
        while let end = rest.dropFirst().firstIndex(where: { $0 == "-" || $0 == "+" }), end < rest.indices.last ?? end,
            let modifier = modifiers[rest[..<end].lowercased()]
        {
            short += modifier + "-"
            rest = rest[rest.index(after: end)...]
        }
        return short + rest
    }

    private static let modifiers = [
        "c": "C", "ctrl": "C", "control": "C", "m": "M", "alt": "M", "meta": "M", "s": "S", "shift": "S",
    ]

    // MARK: - Named keys

    private static func named(_ name: Substring, _ modifiers: Set<Character>) -> [UInt8]? {
        let alt: [UInt8] = modifiers.contains("M") ? [escape] : []
        switch name.lowercased() {
        case "enter", "return", "kp_enter": return alt + [0x0d]
        case "tab": return modifiers.contains("S") ? alt + Array("\u{1b}[Z".utf8) : alt + [0x09]
        case "btab": return alt + Array("\u{1b}[Z".utf8)
        case "escape", "esc": return alt + [escape]
        case "space": return modifiers.contains("C") ? alt + [0] : alt + [0x20]
        case "bspace", "backspace": return modifiers.contains("C") ? alt + [0x08] : alt + [0x7f]
        case let key where key.hasPrefix("kp_"):
            return keypad[key.dropFirst(3).lowercased()].map { alt + Array($0.utf8) }
        default: break
        }
        let code =
            1 + (modifiers.contains("S") ? 1 : 0) + (modifiers.contains("M") ? 2 : 0)
            + (modifiers.contains("C") ? 4 : 0)
        if let letter = letters[name.lowercased()] {
            if code > 1 { return Array("\u{1b}[1;\(code)\(letter)".utf8) }
            return Array("\u{1b}\("PQRS".contains(letter) ? "O" : "[")\(letter)".utf8)
        }
        guard let number = numbers[name.lowercased()] else { return nil }
        return Array((code > 1 ? "\u{1b}[\(number);\(code)~" : "\u{1b}[\(number)~").utf8)
    }

    private static let escape: UInt8 = 0x1b

    private static let letters: [String: Character] = [
        "up": "A", "down": "B", "right": "C", "left": "D", "home": "H", "end": "F", "f1": "P", "f2": "Q", "f3": "R",
        "f4": "S",
    ]

    /// The keys of the keypad, by their names in X (keysymdef.h).
    private static let keypad: [String: String] = {
        var keys = ["add": "+", "subtract": "-", "multiply": "*", "divide": "/", "decimal": ".", "equal": "="]
        for digit in 0...9 { keys[String(digit)] = String(digit) }
        return keys
    }()

    private static let numbers: [String: Int] = [
        "insert": 2, "ic": 2, "delete": 3, "del": 3, "dc": 3, "pageup": 5, "pgup": 5, "ppage": 5, "pagedown": 6,
        "pgdn": 6, "npage": 6, "f5": 15, "f6": 17, "f7": 18, "f8": 19, "f9": 20, "f10": 21, "f11": 23, "f12": 24,
    ]

    // MARK: - Character keys

    private static func typed(_ name: Substring, _ modifiers: Set<Character>) -> [UInt8]? {
        guard name.count == 1, let character = name.first, !modifiers.contains("S") else { return nil }
        let alt: [UInt8] = modifiers.contains("M") ? [escape] : []
        guard modifiers.contains("C") else { return alt + Array(String(character).utf8) }
        switch character {
        case "?": return alt + [0x7f]
        case "@"..."_", "a"..."z":
            guard let byte = character.asciiValue else { return nil }
            return alt + [byte & 0x1f]
        default: return nil
        }
    }
}
