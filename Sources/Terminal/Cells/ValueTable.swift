/// Values used by a terminal's cells, each stored once and identified by a number; 0 is `Value.zero`.
struct ValueTable<Value: TableValue>: Sendable {
    /// By number; unused entries are zero.
    private var values = [Value.zero]
    /// An open-addressing hash table of numbers; 0 marks a free slot.
    private var places = [UInt32](repeating: 0, count: 64)
    private var free: [UInt32] = []
    /// Random odd factors, so that output cannot be written such that its values have the same place.
    private let factors = (UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1)

    /// The number of values except for zero.
    var count: Int { values.count - 1 - free.count }

    @inline(__always)
    subscript(_ number: UInt32) -> Value { values[Int(number)] }

    /// Returns the number of a value, adding it if it is new.
    mutating func number(of value: Value) -> UInt32 {
        if value == .zero { return 0 }
        let mask = places.count - 1
        var place = place(of: value)
        while places[place] != 0 {
            if values[Int(places[place])] == value { return places[place] }
            place = (place + 1) & mask
        }
        let number: UInt32
        if let reused = free.popLast() {
            number = reused
            values[Int(number)] = value
        } else {
            number = UInt32(values.count)
            values.append(value)
        }
        places[place] = number
        if count * 2 > places.count { rehash(places.count * 2) }
        return number
    }

    /// One mark per value, all unset.
    var unmarked: [Bool] { [Bool](repeating: false, count: values.count) }

    /// Removes the values that are not marked.
    mutating func keep(_ isUsed: [Bool]) {
        free = (1..<values.count).filter { !isUsed[$0] }.reversed().map { UInt32($0) }
        for number in free { values[Int(number)] = .zero }
        rehash(places.count)
    }

    private mutating func rehash(_ size: Int) {
        places = [UInt32](repeating: 0, count: size)
        for number in 1..<values.count where values[number] != .zero {
            var place = place(of: values[number])
            while places[place] != 0 { place = (place + 1) & (size - 1) }
            places[place] = UInt32(number)
        }
    }

    /// The first place to look for a value: the high bits of a product (multiply-shift hashing).
    @inline(__always)
    private func place(of value: Value) -> Int {
        let (first, second) = value.words
        let product = first &* factors.0 &+ second &* factors.1
        return Int(truncatingIfNeeded: product >> UInt64(64 - places.count.trailingZeroBitCount))
    }
}

/// A value that a `ValueTable` can contain.
protocol TableValue: Equatable, Sendable {
    static var zero: Self { get }
    /// What distinguishes the value from others, or a hash of it that output cannot determine.
    var words: (UInt64, UInt64) { get }
}
