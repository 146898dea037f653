/// Which pairs of letters follow each other in a line, whatever their case: what a word needs is quickly seen to be
/// missing.
struct LetterPairs {
    /// A bit for each of 256 kinds of pairs.
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ text: some Sequence<UInt8>) {
        var former: UInt8?
        for byte in text {
            let lower = 0x41...0x5A ~= byte ? byte | 0x20 : byte
            if let former {
                let pair = former &* 67 &+ lower
                let bit: UInt64 = 1 << UInt64(pair & 63)
                switch pair >> 6 {
                case 0: bits.0 |= bit
                case 1: bits.1 |= bit
                case 2: bits.2 |= bit
                default: bits.3 |= bit
                }
            }
            former = lower
        }
    }

    /// Whether all pairs of a word may be there.
    func mayHold(_ word: LetterPairs) -> Bool {
        let missing =
            word.bits.0 & ~bits.0 | word.bits.1 & ~bits.1 | word.bits.2 & ~bits.2 | word.bits.3 & ~bits.3
        return missing == 0
    }
}
