/// The secrets found so far, used to find the same secrets, and parts of them, elsewhere.
///
/// A part is a run of eight or more characters without blanks; repetitive text does not count.
struct FoundSecrets: Sendable {
    /// The minimum length of a part.
    static let partBytes = 8
    /// The approximate maximum total size of the secrets, in bytes; beyond it, secrets are found only by rules.
    private static let limit = 4 << 20

    /// An open-addressing hash table of eight-byte parts; 0 marks a free slot.
    private var places = [UInt64](repeating: 0, count: 1 << 10)
    private var count = 0
    /// A Bloom filter with one bit per part.
    private var filter = [UInt64](repeating: 0, count: 1 << 10)
    /// Secrets that are searched for as a whole, by their first four bytes.
    private var wholes: [UInt32: Set<[UInt8]>] = [:]
    /// A bit for the hash of each key of `wholes`.
    private var wholeFilter = [UInt64](repeating: 0, count: 1 << 10)
    private var wholeCount = 0

    var isEmpty: Bool { count == 0 && wholeCount == 0 }

    /// Adds a secret; its first `markBytes` bytes are common to all secrets of its kind, so only the last four of them
    /// are used.
    mutating func insert(_ value: [UInt8], markBytes: Int) {
        guard count * 8 + wholeCount * 8 < Self.limit, Self.isDistinctive(value) else { return }
        let start = max(0, min(markBytes - 4, value.count - Self.partBytes))
        var hasParts = false
        if value.count >= Self.partBytes {
            for first in start...value.count - Self.partBytes {
                let part = value[first..<first + Self.partBytes]
                guard Self.isPart(part) else { continue }
                insert(part.reduce(0) { $0 << 8 | UInt64($1) })
                hasParts = true
            }
        }
        if !hasParts || value.contains(where: { $0 == 0x20 || $0 >= 0x80 }) { insertWhole(value) }
    }

    private mutating func insertWhole(_ value: [UInt8]) {
        guard value.count >= 6 else { return }
        let key = Self.key(value[0..<4])
        guard wholes[key, default: []].insert(value).inserted else { return }
        wholeCount += 1 + value.count / 8
        let bit = Self.filterBit(key)
        wholeFilter[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    /// Whether a value is distinctive enough to be searched for.
    ///
    /// A value of 6 or 7 characters needs both letters and digits; one of 8 to 15 needs two kinds of characters,
    /// because it might otherwise be an ordinary word.
    private static func isDistinctive(_ value: [UInt8]) -> Bool {
        guard value.count >= 6 else { return false }
        var (lower, upper, digits, others) = (0, 0, 0, 0)
        for byte in value {
            switch byte {
            case 0x61...0x7A: lower += 1
            case 0x41...0x5A: upper += 1
            case 0x30...0x39: digits += 1
            case 0x20: break
            default: others += 1
            }
        }
        let kinds = [lower, upper, digits, others].count { $0 > 0 }
        return value.count >= 16 || kinds >= 2 && (value.count >= 8 || digits > 0 && lower + upper > 0)
    }

    private static func isPart(_ part: ArraySlice<UInt8>) -> Bool {
        part.allSatisfy { 0x21...0x7E ~= $0 } && Set(part).count >= 4
    }

    private static func key(_ start: ArraySlice<UInt8>) -> UInt32 {
        start.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The bit of `wholeFilter` for a key.
    ///
    /// Testing this bit is enough to reject most positions in a text.
    @inline(__always)
    private static func filterBit(_ key: UInt32) -> Int {
        Int((key &* 0x9E37_79B1) >> 16)
    }

    // MARK: - Table

    private mutating func insert(_ part: UInt64) {
        if (count + 1) * 2 > places.count { grow() }
        guard place(part) else { return }
        count += 1
        mark(part)
    }

    private mutating func grow() {
        let parts = places.filter { $0 != 0 }
        places = [UInt64](repeating: 0, count: places.count * 2)
        filter = [UInt64](repeating: 0, count: places.count)
        for part in parts {
            _ = place(part)
            mark(part)
        }
    }

    private mutating func place(_ part: UInt64) -> Bool {
        var index = Int(Self.hash(part) & UInt64(places.count - 1))
        while places[index] != 0 {
            if places[index] == part { return false }
            index = (index + 1) & (places.count - 1)
        }
        places[index] = part
        return true
    }

    private mutating func mark(_ part: UInt64) {
        let hash = Self.hash(part) >> 32
        filter[Int(hash >> 6) & (filter.count - 1)] |= 1 << (hash & 63)
    }

    @inline(__always)
    private static func hash(_ part: UInt64) -> UInt64 {
        let mixed = part &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }

    @inline(__always)
    private func mayContain(_ part: UInt64) -> Bool {
        let hash = Self.hash(part) >> 32
        return filter[Int(hash >> 6) & (filter.count - 1)] & 1 << (hash & 63) != 0
    }

    private func contains(_ part: UInt64) -> Bool {
        var index = Int(Self.hash(part) & UInt64(places.count - 1))
        while places[index] != 0 {
            if places[index] == part { return true }
            index = (index + 1) & (places.count - 1)
        }
        return false
    }

    // MARK: - Searching

    /// Calls `body` for each run of eight or more characters of a secret, and for each secret found as a whole.
    func forEach(in text: LineText, _ body: (Range<Int>) -> Void) {
        if count > 0, text.count >= Self.partBytes { forEachRun(in: text, body) }
        if wholeCount > 0 { forEachWhole(in: text, body) }
    }

    private func forEachRun(in text: LineText, _ body: (Range<Int>) -> Void) {
        let bytes = text.bytes.span
        var part: UInt64 = 0
        var run: Range<Int>?
        for index in 0..<bytes.count {
            part = part << 8 | UInt64(bytes[index])
            guard index >= Self.partBytes - 1, mayContain(part), contains(part) else { continue }
            let start = index - (Self.partBytes - 1)
            if let open = run, start <= open.upperBound {
                run = open.lowerBound..<index + 1
            } else {
                if let run { body(run) }
                run = start..<index + 1
            }
        }
        if let run { body(run) }
    }

    private func forEachWhole(in text: LineText, _ body: (Range<Int>) -> Void) {
        let bytes = text.bytes.span
        let filter = wholeFilter.span
        var key: UInt32 = 0
        for index in 0..<bytes.count {
            key = key << 8 | UInt32(bytes[index])
            let bit = Self.filterBit(key)
            guard filter[bit >> 6] & 1 << UInt64(bit & 63) != 0, index >= 3, let values = wholes[key] else { continue }
            let start = index - 3
            for value in values where start + value.count <= text.count {
                guard value.indices.allSatisfy({ text[start + $0] == value[$0] }),
                    value.count >= Self.partBytes || isApart(text, start..<start + value.count)
                else { continue }
                body(start..<start + value.count)
            }
        }
    }

    /// Whether a short secret is not part of a longer word.
    private func isApart(_ text: LineText, _ range: Range<Int>) -> Bool {
        (range.lowerBound == 0 || !TokenAlphabet.alphanumeric.contains(text[range.lowerBound - 1]))
            && (range.upperBound == text.count || !TokenAlphabet.alphanumeric.contains(text[range.upperBound]))
    }
}
