extension EscapeSequence {
    /// Whether a terminal that is shown this once more would answer it, or do what is not to be done twice.
    ///
    /// Answers would be typed into the program. Bells, notes on the desktop, the clipboard, printing, and the size and
    /// place of windows are for those who were there.
    package var isOnlyForLive: Bool {
        switch kind {
        case .control: final == 0x05 || final == 0x07
        case .escape: body.isEmpty && final == UInt8(ascii: "Z")
        case .controlSequence: isLiveControlSequence
        case .command: isLiveCommand
        // DECRQSS, XTGETTCAP; both ask, and their answers come from the terminal only.
        case .deviceControl: body.starts(with: Array("$q".utf8)) || body.starts(with: Array("+q".utf8))
        // Graphics of kitty, which answers each of its commands.
        case .otherString: final == UInt8(ascii: "_") && body.first == UInt8(ascii: "G")
        }
    }

    private var isLiveControlSequence: Bool {
        let intermediate = body.last { (0x20...0x2F).contains($0) }.map { Character(UnicodeScalar($0)) }
        let mark = marker.map { Character(UnicodeScalar($0)) }
        switch (mark, intermediate, Character(UnicodeScalar(final))) {
        // DA1, DA2, DA3.
        case (_, nil, "c"): return true
        // DSR; with '>' it is a setting.
        case (">", nil, "n"): return false
        case (_, nil, "n"): return true
        // DECREQTPARM, media copy, window operations and reports.
        case (nil, nil, "x"), (_, nil, "i"), (nil, nil, "t"): return true
        // XTVERSION, XTQMODKEYS, XTSMGRAPHICS, the flags of the keyboard.
        case (">", nil, "q"), ("?", nil, "m"), ("?", nil, "S"), ("?", nil, "u"): return true
        // DECRQM, DECRQCRA and XTCHECKSUM, DECRQPSR, DECRQTSR and DECRQUPSS.
        case (_, "$", "p"), (_, "*", "y"), (_, "$", "w"), (_, "$", "u"), (_, "&", "u"): return true
        // XTREPORTCOLORS, XTREPORTSGR, XTTITLEPOS, DECRQLP.
        case (_, "#", "R"), (_, "#", "|"), (_, "#", "S"), (_, "'", "|"): return true
        default: return false
        }
    }

    /// Titles, directories, links and marks of prompts may hold any text; the rest asks with a `?`.
    private var isLiveCommand: Bool {
        let number = body.prefix { (0x30...0x39).contains($0) }
        guard number.count <= 5, let value = Int(String(decoding: number, as: UTF8.self)) else { return true }
        switch value {
        case 0, 1, 2, 7, 8, 133, 633: return false
        case 9, 50, 52, 60, 61, 99, 777, 1337, 5522: return true
        default: return isCut || body.contains(UInt8(ascii: "?"))
        }
    }
}

extension EscapeScanner {
    /// Returns the bytes but for these ranges of their indices.
    static func removing(_ ranges: [Range<Int>], from output: [UInt8]) -> [UInt8] {
        guard !ranges.isEmpty else { return output }
        // A control character may stand inside of a sequence, and is told before it.
        let cuts = ranges.sorted { $0.lowerBound < $1.lowerBound }
        var kept: [UInt8] = []
        kept.reserveCapacity(output.count)
        var position = 0
        for cut in cuts where cut.upperBound > position {
            guard cut.lowerBound < output.count else { break }
            if cut.lowerBound > position { kept += output[position..<cut.lowerBound] }
            position = min(cut.upperBound, output.count)
        }
        return kept + output[position...]
    }
}
