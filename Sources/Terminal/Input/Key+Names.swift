/// The keys that have names.
extension Key {
    /// The names, without synonyms.
    package static let names = table.compactMap(\.names.first)

    /// Returns the names that start with `prefix`, which may contain modifiers such as `C-`.
    package static func names(completing prefix: String) -> [String] {
        let name = prefix.lastIndex { $0 == "-" || $0 == "+" }.map { prefix.index(after: $0) } ?? prefix.startIndex
        guard (try? Key(parsing: prefix[..<name] + "x")) != nil else { return [] }
        return names.filter { $0.lowercased().hasPrefix(prefix[name...].lowercased()) }.map { prefix[..<name] + $0 }
    }

    /// The keys by their names in lower case.
    static let named: [String: Key] = {
        var keys: [String: Key] = [:]
        for (names, key) in table {
            for name in names { keys[name.lowercased()] = key }
        }
        return keys
    }()

    private static let table: [(names: [String], key: Key)] = typing + moving + functions + keypad

    private static let typing: [(names: [String], key: Key)] = [
        (["Enter", "Return"], Key(base: .control(0x0D))), (["Tab"], Key(base: .control(0x09))),
        (["BTab"], Key(base: .control(0x09), modifiers: .shift)), (["Escape", "Esc"], Key(base: .control(0x1B))),
        (["Space"], Key(base: .character(" "))), (["BSpace", "Backspace"], Key(base: .control(0x7F))),
    ]

    private static let moving: [(names: [String], key: Key)] = [
        (["Up"], Key(base: .letter("A"))), (["Down"], Key(base: .letter("B"))), (["Left"], Key(base: .letter("D"))),
        (["Right"], Key(base: .letter("C"))), (["Home"], Key(base: .letter("H"))), (["End"], Key(base: .letter("F"))),
        (["Insert", "IC"], Key(base: .number(2))), (["Delete", "Del", "DC"], Key(base: .number(3))),
        (["PageUp", "PgUp", "PPage"], Key(base: .number(5))), (["PageDown", "PgDn", "NPage"], Key(base: .number(6))),
    ]

    /// F1 to F35; as in xterm's entry in terminfo(5), F13 to F24 are Shift with F1 to F12, and the rest are Control.
    private static let functions: [(names: [String], key: Key)] = {
        let bases = "PQRS".map(Base.letter) + [15, 17, 18, 19, 20, 21, 23, 24].map(Base.number)
        return (0..<35).map { index in
            let implied: [Modifiers] = [[], .shift, .control]
            return (
                ["F\(index + 1)"],
                Key(
                    base: bases[index % bases.count],
                    code: index < bases.count ? nil : 57_376 + index - bases.count,
                    implied: implied[index / bases.count]
                )
            )
        }
    }()

    private static let keypad: [(names: [String], key: Key)] = {
        var keys = (0...9).map { digit in
            (["KP_\(digit)"], Key(base: .keypad(Character("\(digit)"), letter: digits[digit]), code: 57_399 + digit))
        }
        for (index, (name, character, letter)) in symbols.enumerated() {
            keys.append((["KP_\(name)"], Key(base: .keypad(character, letter: letter), code: 57_409 + index)))
        }
        for (index, (name, base)) in movements.enumerated() {
            keys.append((["KP_\(name)"], Key(base: base, code: 57_417 + index)))
        }
        return keys + [(["KP_Begin"], Key(base: .letter("E")))]
    }()

    private static let digits = Array("pqrstuvwxy")

    /// Keys in the order of their codes in kitty's protocol.
    private static let symbols: [(String, Character, Character)] = [
        ("Decimal", ".", "n"), ("Divide", "/", "o"), ("Multiply", "*", "j"), ("Subtract", "-", "m"), ("Add", "+", "k"),
        ("Enter", "\r", "M"), ("Equal", "=", "X"), ("Separator", ",", "l"),
    ]

    private static let movements: [(String, Base)] = [
        ("Left", .letter("D")), ("Right", .letter("C")), ("Up", .letter("A")), ("Down", .letter("B")),
        ("PageUp", .number(5)), ("PageDown", .number(6)), ("Home", .letter("H")), ("End", .letter("F")),
        ("Insert", .number(2)), ("Delete", .number(3)),
    ]
}
