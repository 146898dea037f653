import TestSupport

/// Output that a hostile or broken program could write, generated from a seed.
struct RandomOutput {
    private var random: SeededGenerator

    init(seed: Int) {
        random = SeededGenerator(spreading: seed)
    }

    mutating func next(_ limit: Int) -> Int {
        random.next(limit)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += piece() }
        return bytes
    }

    private mutating func piece() -> [UInt8] {
        switch next(16) {
        case 0...3: (0...next(30)).map { _ in UInt8(0x20 + next(95)) }
        case 4: [[0x0D, 0x0A], [0x0A], [0x0D], [0x08], [0x09], [0x0E], [0x0F], [0x0B]][next(8)]
        case 5...9: controlSequence()
        case 10 where next(4) == 0: Array(["\u{1B}%@", "\u{1B}%G", "\u{1B}(K", "\u{1B})%6", "\u{1B} G"][next(5)].utf8)
        case 10: Array("\u{1B}".utf8) + [UInt8(0x20 + next(95))]
        case 11: Array(characters[next(characters.count)].utf8)
        case 12: string()
        case 13: (0...next(6)).map { _ in UInt8(next(256)) }
        case 14: Array("\u{1B}[\(30 + next(8));\(40 + next(8));\(next(10))m".utf8)
        default: Array(characters[next(characters.count)].utf8) + [UInt8(0x41 + next(26))]
        }
    }

    private let characters = [
        "é", "漢", "字", "한", "👨\u{200D}👩\u{200D}👧", "🇩🇪", "🇩", "👍🏽", "❤\u{FE0F}", "e\u{301}", "\u{301}", "\u{200D}",
        "\u{FE0F}", "😀", "ก็", "\u{9B}5C", "\u{85}", "ﾞ", "\u{FFFD}", "क्ष", "ि", "\u{600}",
    ]

    private mutating func controlSequence() -> [UInt8] {
        var text = "\u{1B}["
        if next(4) == 0 { text += ["?", ">", "<", "=", "!"][next(5)] }
        for index in 0..<next(5) {
            if index > 0 { text += next(6) == 0 ? ":" : ";" }
            text += String([0, 1, 2, 3, 4, 5, 6, 7, 8, 25, 38, 42, 47, 69, 80, 1049, 2004, 9999][next(18)])
        }
        if next(8) == 0 { text += [" ", "$", "'", "\""][next(4)] }
        return Array(text.utf8) + [UInt8(0x40 + next(63))]
    }

    private mutating func string() -> [UInt8] {
        let start = ["\u{1B}]", "\u{1B}P", "\u{1B}_", "\u{1B}^", "\u{1B}X"][next(5)]
        let body = ["0;title", "8;;http://a/b", "8;;", "52;c;aGk=", "133;A", "133;B", "$qm", "+q544e", "junk"][next(9)]
        let end = ["\u{1B}\\", "\u{7}", "\u{9C}", "\u{18}", "\u{1B}[m", "x"][next(6)]
        return Array((start + body + end).utf8)
    }
}
