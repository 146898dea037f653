import Core

/// The key that detaches from a session: a control character.
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
        if bytes.elementsEqual([byte]) { return true }
        guard bytes.starts(with: [0x1B, UInt8(ascii: "[")]), let final = bytes.last else { return false }
        let fields = bytes.dropFirst(2).dropLast()
            .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { $0.split(separator: UInt8(ascii: ":")).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 } }
        if final == UInt8(ascii: "u"), fields.count >= 2 {
            let isRelease = fields[1].count > 1 && fields[1][1] == 3
            return fields[0].first == code && hasControlOnly(fields[1].first) && !isRelease
        }
        guard final == UInt8(ascii: "~"), fields.count == 3 else { return false }
        return fields[0] == [27] && hasControlOnly(fields[1].first) && fields[2] == [code]
    }

    /// The code of the character that is typed together with Control, in lower case.
    private var code: Int {
        let upper = byte | 0x40
        return Int((0x41...0x5A).contains(upper) ? upper | 0x20 : upper)
    }

    /// Whether a modifier field, which is the sum of modifiers plus one, contains Control (4) and no other
    /// modifiers except locks (64, 128).
    private func hasControlOnly(_ field: Int?) -> Bool {
        guard let field, field > 0 else { return false }
        return (field - 1) & ~(64 | 128) == 4
    }
}
