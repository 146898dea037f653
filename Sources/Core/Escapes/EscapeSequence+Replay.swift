extension EscapeSequence {
    /// Whether a terminal that is shown this once more would answer it, or do what is not to be done twice.
    ///
    /// Answers would be typed into the program. Bells, notes on the desktop, the clipboard, printing, and the size and
    /// place of windows are for those who were there.
    package var isOnlyForLive: Bool {
        if isQuery { return true }
        switch kind {
        case .control: return final == 0x07
        case .escape, .deviceControl: return false
        // Media copy; window operations.
        case .controlSequence:
            let hasIntermediate = body.contains { (0x20...0x2F).contains($0) }
            return !hasIntermediate && (final == UInt8(ascii: "i") || final == UInt8(ascii: "t") && marker == nil)
        case .command: return isLiveCommand
        case .otherString: return final == UInt8(ascii: "_") && body.first == UInt8(ascii: "G")
        }
    }

    private var isLiveCommand: Bool {
        guard let number = commandNumber else { return true }
        switch number {
        case 0, 1, 2, 7, 8, 133, 633: return false
        case 9, 50, 52, 60, 61, 99, 777, 1337, 5522: return true
        default: return isCut
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
