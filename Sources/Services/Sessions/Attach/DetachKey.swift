import Core

/// The key that detaches from a session, or begins a command if its key follows: a control character.
package struct DetachKey: Hashable, Sendable {
    let byte: UInt8

    /// `^]`, as in telnet(1).
    package static let standard = DetachKey(byte: 0x1D)

    private init(byte: UInt8) {
        self.byte = byte
    }

    /// Parses `^X` or `C-X`, where X is a letter or one of `@[\]^_`; nil for `none`.
    ///
    /// - Throws: `usage` for any other text.
    package static func parse(_ text: String) throws(VTError) -> DetachKey? {
        guard text != "none" else { return nil }
        let name = text.hasPrefix("^") ? text.dropFirst() : text.hasPrefix("C-") ? text.dropFirst(2) : ""
        guard name.utf8.count == 1, let byte = name.uppercased().utf8.first, (0x40...0x5F).contains(byte) else {
            throw VTError(
                .usage,
                "invalid detach key '\(text)'",
                hint: "use ^X or C-X, where X is a letter or one of @ [ \\ ] ^ _, or 'none'"
            )
        }
        return DetachKey(byte: byte & 0x1F)
    }

    /// The key in the form `^]`.
    package var text: String {
        "^\(Character(UnicodeScalar(byte | 0x40)))"
    }

    /// Whether the bytes are exactly this key, in any encoding that a program can request from a terminal.
    ///
    /// These are the control character itself; `CSI CODE ; 5 u` of kitty's protocol, which may contain other fields and
    /// lock modifiers; and `CSI 27 ; 5 ; CODE ~` of xterm's modifyOtherKeys.
    func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
        // Control is 4 in the sum of modifiers.
        bytes.elementsEqual([byte]) || Self.press(in: bytes).map { $0 == (code, 4) } ?? false
    }

    /// What a key after this one does.
    enum Command: Character, Sendable {
        case marker = "m"
        /// Answers the question of `vt sessions ask`.
        case done = "y"
        case refuse = "n"
    }

    /// The command whose key the bytes are exactly, in any of these encodings.
    static func command(_ bytes: ArraySlice<UInt8>) -> Command? {
        let code = bytes.count == 1 ? bytes.first.map(Int.init) : press(in: bytes).flatMap { $1 == 0 ? $0 : nil }
        return code.flatMap { UInt8(exactly: $0) }.flatMap { Command(rawValue: Character(UnicodeScalar($0))) }
    }

    /// The code and the modifiers of the key press that a sequence encodes, without the modifiers that are locks (64,
    /// 128); nil for any other bytes.
    private static func press(in bytes: ArraySlice<UInt8>) -> (code: Int, modifiers: Int)? {
        guard bytes.starts(with: [0x1B, UInt8(ascii: "[")]), let final = bytes.last else { return nil }
        let fields = bytes.dropFirst(2).dropLast()
            .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { $0.split(separator: UInt8(ascii: ":")).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 } }
        // A modifier field is the sum of modifiers plus one.
        func modifiers(_ field: Int?) -> Int { (max(1, field ?? 1) - 1) & ~(64 | 128) }
        if final == UInt8(ascii: "u"), let code = fields[0].first {
            let second = fields.dropFirst().first ?? []
            let isRelease = second.count > 1 && second[1] == 3
            return isRelease ? nil : (code, modifiers(second.first))
        }
        guard final == UInt8(ascii: "~"), fields.count == 3, fields[0] == [27], fields[2].count == 1 else { return nil }
        return (fields[2][0], modifiers(fields[1].first))
    }

    /// The code of the character that is typed together with Control, in lower case.
    private var code: Int {
        let upper = byte | 0x40
        return Int((0x41...0x5A).contains(upper) ? upper | 0x20 : upper)
    }
}
