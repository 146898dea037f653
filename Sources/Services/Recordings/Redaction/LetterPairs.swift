/// Which pairs of letters follow each other in a line, whatever their case: what a word needs is quickly seen to be
/// missing.
struct LetterPairs {
    private var bits: SIMD64<UInt64> = .zero

    init(_ text: some Sequence<UInt8>) {
        var former: UInt8?
        for byte in text {
            let lower = 0x41...0x5A ~= byte ? byte | 0x20 : byte
            if let former {
                let pair = (Int(former) &* 67 &+ Int(lower)) & 4095
                bits[pair >> 6] |= 1 << UInt64(pair & 63)
            }
            former = lower
        }
    }

    /// Whether all pairs of a word may be there.
    func mayHold(_ word: LetterPairs) -> Bool {
        (bits & word.bits) == word.bits
    }
}
