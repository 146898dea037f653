import Core

/// A key of a keyboard, with the modifiers that are held.
package struct Key: Hashable, Sendable {
    /// What a terminal without kitty's keyboard protocol sends (ctlseqs, PC-Style Function Keys).
    enum Base: Hashable, Sendable {
        /// A key that types a character; a letter is in lower case.
        case character(Character)
        /// Enter, Tab, Escape or BSpace, by the ASCII code.
        case control(UInt8)
        /// `CSI letter`, or `SS3 letter` for F1 to F4.
        case letter(Character)
        /// `CSI number ~`.
        case number(Int)
        /// A character (CR for KP_Enter), or `SS3 letter` if the keypad is in application mode.
        case keypad(Character, letter: Character)
    }

    /// The modifiers, with the bits of xterm's and kitty's parameters.
    struct Modifiers: OptionSet, Hashable, Sendable {
        let rawValue: Int

        static let shift = Modifiers(rawValue: 1)
        static let alt = Modifiers(rawValue: 2)
        static let control = Modifiers(rawValue: 4)
        static let `super` = Modifiers(rawValue: 8)
        static let hyper = Modifiers(rawValue: 16)

        /// The parameter of a control sequence.
        var parameter: Int { rawValue + 1 }
    }

    var base: Base
    /// The code in the private use area that kitty's keyboard protocol defines for the key.
    var code: Int?
    var modifiers: Modifiers = []
    /// The modifiers that stand for the key without kitty's protocol: F13 is sent as S-F1.
    var implied: Modifiers = []
}

extension Key {
    /// Parses a name such as `C-c`, `Ctrl-C`, `M-x`, `Up`, `F5`, `KP_Enter`, or a single character.
    ///
    /// Names are those of tmux(1), readline(3) and X (keysymdef.h). `C-`, `M-` and `S-` mean Control, Alt and Shift;
    /// `^c` is the same as `C-c`. With Control, the case of a letter has no meaning.
    ///
    /// - Throws: `usage` for an unknown key.
    package init(parsing name: String) throws(VTError) {
        var (modifiers, rest) = Self.split(name)
        if name.count == 2, name.first == "^" { (modifiers, rest) = (.control, name.dropFirst()) }
        if let key = Self.named[rest.lowercased()] {
            self = key
        } else if rest.count == 1, let character = rest.first {
            base = .character(character)
        } else {
            let nearest = Suggestion.nearest(to: rest.lowercased(), among: Self.names.map { $0.lowercased() })
            let meant = Self.names.first { $0.lowercased() == nearest }
            throw VTError(
                .usage,
                "unknown key '\(name)'",
                hint: meant.map { "did you mean '\(name.dropLast(rest.count))\($0)'?" }
                    ?? "use a name such as C-c, M-x, Up, F5, Enter, Tab, Escape, BSpace, PageUp or KP_0"
            )
        }
        self.modifiers.formUnion(modifiers)
        try foldCase(name)
    }

    /// Makes a letter lower-case, and any character that Shift turns into another one a letter.
    private mutating func foldCase(_ name: String) throws(VTError) {
        guard case .character(let character) = base, character != " " else { return }
        let lower = String(character).lowercased()
        if lower.count == 1, lower != String(character), lower.uppercased() == String(character) {
            base = .character(Character(lower))
            if !modifiers.contains(.control) { modifiers.insert(.shift) }
        } else if modifiers.contains(.shift), lower.uppercased() == lower || lower.uppercased().count != 1 {
            throw VTError(
                .usage,
                "unknown key '\(name)'",
                hint: "write the character that the key types with Shift, such as '!'"
            )
        }
    }

    /// Splits off the modifiers, such as `C-` or `Ctrl+`.
    private static func split(_ name: String) -> (Modifiers, rest: Substring) {
        var modifiers: Modifiers = []
        var rest = name[...]
        while let end = rest.dropFirst().firstIndex(where: { $0 == "-" || $0 == "+" }), end < rest.indices.last ?? end,
            let modifier = modifierNames[rest[..<end].lowercased()]
        {
            modifiers.insert(modifier)
            rest = rest[rest.index(after: end)...]
        }
        return (modifiers, rest)
    }

    private static let modifierNames: [String: Modifiers] = [
        "c": .control, "ctrl": .control, "control": .control, "m": .alt, "alt": .alt, "meta": .alt, "s": .shift,
        "shift": .shift, "super": .super, "hyper": .hyper,
    ]
}
