extension ByteString {
    /// The word, quoted so that a login shell passes exactly these bytes to a program.
    ///
    /// The quoting works in sh, bash, dash, ksh, zsh, fish and, except for newlines, csh. A word that is not known to
    /// be safe is enclosed in single quotes, except for the bytes that are special within quotes in one of these
    /// shells: `'`, `\` in fish and `!` in csh. These bytes are written outside the quotes, after a backslash.
    package var shellQuoted: ByteString {
        guard bytes.isEmpty || !bytes.allSatisfy(Self.isPlain) else { return self }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 2)
        var isOpen = false
        for byte in bytes {
            let needsBackslash = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "!")
            if needsBackslash == isOpen {
                result.append(UInt8(ascii: "'"))
                isOpen.toggle()
            }
            if needsBackslash { result.append(UInt8(ascii: "\\")) }
            result.append(byte)
        }
        if isOpen { result.append(UInt8(ascii: "'")) }
        return ByteString(bytes.isEmpty ? Array("''".utf8) : result)
    }

    /// Letters, digits and punctuation that no shell treats specially anywhere in a word.
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
