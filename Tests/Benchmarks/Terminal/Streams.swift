/// Four kinds of synthetic program output, generated from a seed.
struct Streams {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private mutating func next(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: (mixed ^ mixed >> 31) >> 33) % limit
    }

    private mutating func word(_ length: Int) -> String {
        String(decoding: (0..<length).map { _ in UInt8(97 + next(26)) }, as: UTF8.self)
    }

    private mutating func filled(_ size: Int, _ piece: (inout Streams) -> String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 4096)
        while bytes.count < size { bytes += Array(piece(&self).utf8) }
        return bytes
    }

    /// Lines of 20 to 110 columns.
    mutating func logLines(_ size: Int) -> [UInt8] {
        filled(size) { streams in
            var line = ""
            let length = 20 + streams.next(91)
            while line.utf8.count < length { line += streams.word(1 + streams.next(9)) + " " }
            return line.prefix(length) + "\r\n"
        }
    }

    /// A color change every one to three characters.
    mutating func denseColors(_ size: Int) -> [UInt8] {
        filled(size) { streams in
            var line = ""
            for _ in 0..<30 {
                switch streams.next(3) {
                case 0: line += "\u{1B}[\(30 + streams.next(8));\(40 + streams.next(8))m"
                case 1: line += "\u{1B}[38;5;\(streams.next(256))m"
                default: line += "\u{1B}[38;2;\(streams.next(256));\(streams.next(256));\(streams.next(256))m"
                }
                line += streams.word(1 + streams.next(3))
            }
            return line + "\u{1B}[0m\r\n"
        }
    }

    /// Ideographs, kana, Hangul, emoji, sequences with U+200D, and combining marks.
    mutating func wideText(_ size: Int) -> [UInt8] {
        filled(size) { streams in
            var line = ""
            for _ in 0..<(10 + streams.next(30)) {
                switch streams.next(12) {
                case 0...4: line.unicodeScalars.append(Unicode.Scalar(0x4E00 + UInt32(streams.next(20000))) ?? "一")
                case 5...6: line.unicodeScalars.append(Unicode.Scalar(0x3041 + UInt32(streams.next(86))) ?? "あ")
                case 7...8: line.unicodeScalars.append(Unicode.Scalar(0xAC00 + UInt32(streams.next(11172))) ?? "가")
                case 9: line.unicodeScalars.append(Unicode.Scalar(0x1F600 + UInt32(streams.next(70))) ?? "😀")
                case 10: line += "👨\u{200D}👩\u{200D}👧"
                default: line += streams.word(1) + "\u{301}"
                }
            }
            return line + "\r\n"
        }
    }

    /// Full-screen redraws, row by row, with cursor positioning, colors and erasing to the end of the line.
    mutating func redraws(_ size: Int) -> [UInt8] {
        filled(size) { streams in
            var screen = ""
            for row in 1...24 {
                screen += "\u{1B}[\(row);1H\u{1B}[\(30 + streams.next(8))m" + streams.word(10 + streams.next(20))
                screen += "\u{1B}[1;4\(streams.next(8))m" + streams.word(10 + streams.next(20)) + "\u{1B}[0m\u{1B}[K"
            }
            return screen
        }
    }
}
