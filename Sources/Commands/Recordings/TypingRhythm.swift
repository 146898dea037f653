/// The pauses of a person who types: different for each key, but the same in each run.
struct TypingRhythm: Sendable {
    private let mean: Duration
    private var state: UInt64 = 0

    init(mean: Duration) {
        self.mean = mean
    }

    /// Returns the pause after the next key, from half to one and a half times the mean.
    mutating func pause() -> Duration {
        // SplitMix64 (Steele, Lea and Flood, 2014).
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return mean / 2 + mean * Int((bits ^ bits >> 31) % 1000) / 1000
    }
}
