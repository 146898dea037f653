extension [UInt8] {
    /// The number of bytes of an incomplete UTF-8 character at the end (Unicode §3.9, table 3-7), from 0 to 3.
    var unfinishedCharacterBytes: Int {
        for length in 1...3 where length <= count {
            let byte = self[count - length]
            if byte & 0b1100_0000 == 0b1000_0000 { continue }
            let needed =
                switch byte {
                case 0xc2...0xdf: 2
                case 0xe0...0xef: 3
                case 0xf0...0xf4: 4
                default: 1
                }
            return needed > length ? length : 0
        }
        return 0
    }
}
