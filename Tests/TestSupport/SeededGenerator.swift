/// Reproducible random numbers: SplitMix64 (Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Spreads small seeds, so that adjacent seeds produce unrelated sequences.
    package init(spreading seed: Int) {
        state = UInt64(seed) &* 0x2545_F491_4F6C_DD1D &+ 1
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a number from 0 up to, but not including, the limit.
    package mutating func next(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next() >> 33) % limit
    }
}
