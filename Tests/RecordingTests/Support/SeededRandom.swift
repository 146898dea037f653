/// SplitMix64 (Steele, Lea and Flood, 2014).
struct SeededRandom {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(seed) &* 0x2545_F491_4F6C_DD1D &+ 1
    }

    mutating func next(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: (mixed ^ mixed >> 31) >> 33) % limit
    }
}
