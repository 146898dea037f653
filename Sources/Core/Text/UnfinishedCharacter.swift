extension [UInt8] {
    /// The number of bytes at the end that can be the start of a valid character (Unicode Standard, Table 3-7), from 0
    /// to 3.
    package var unfinishedCharacterBytes: Int {
        for length in 1...3 where length <= count {
            let lead = self[count - length]
            guard lead >= 0xC0 else {
                if lead < 0x80 { return 0 }
                continue
            }
            let needed = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            guard lead >= 0xC2, lead <= 0xF4, needed > length else { return 0 }
            return length == 1 || Self.isSecond(self[count - length + 1], after: lead) ? length : 0
        }
        return 0
    }

    private static func isSecond(_ byte: UInt8, after lead: UInt8) -> Bool {
        switch lead {
        case 0xE0: (0xA0...0xBF).contains(byte)
        case 0xED: (0x80...0x9F).contains(byte)
        case 0xF0: (0x90...0xBF).contains(byte)
        case 0xF4: (0x80...0x8F).contains(byte)
        default: (0x80...0xBF).contains(byte)
        }
    }
}
