extension ByteString {
    /// The word quoted so that a login shell gives a program just these bytes.
    ///
    /// Holds for sh, bash, dash, ksh, zsh and fish: what is not plainly safe stands in single quotes, and the bytes that
    /// mean something inside them in one of these shells, `'`, `\` in fish and `!` in csh, stand outside with a backslash.
    /// Of what csh reads only a newline does not arrive.
    package var shellQuoted: ByteString {
        guard bytes.isEmpty || !bytes.allSatisfy(Self.isPlain) else { return self }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 2)
        var isOpen = false
        for byte in bytes {
            let standsOutside = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "!")
            if standsOutside == isOpen {
                result.append(UInt8(ascii: "'"))
                isOpen.toggle()
            }
            if standsOutside { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        if isOpen { result.append(UInt8(ascii: "'")) }
        return ByteString(bytes.isEmpty ? Array("''".utf8) : result)
    }

    /// Letters, digits and marks that no shell gives a meaning to anywhere in a word.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ","),
            UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}
