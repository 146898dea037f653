/// The styles used by a terminal's cells, each stored once; index 0 is the plain style.
struct StyleTable: Sendable {
    private var styles: [Style] = [.plain]
    /// An open-addressing hash table of indexes; 0 marks a free slot.
    private var places = [UInt32](repeating: 0, count: 64)
    private var free: [UInt32] = []

    var count: Int { styles.count - free.count }

    @inline(__always)
    subscript(_ number: UInt32) -> Style {
        number < CellOrigin.bit ? styles[Int(number)] : CellOrigin.style(number)
    }

    /// Returns the index of a style, adding it if it is new.
    mutating func number(of style: Style) -> UInt32 {
        if style == .plain { return 0 }
        let mask = places.count - 1
        var place = Self.place(style, mask)
        while places[place] != 0 {
            if styles[Int(places[place])] == style { return places[place] }
            place = (place + 1) & mask
        }
        let number: UInt32
        if let reused = free.popLast() {
            number = reused
            styles[Int(number)] = style
        } else {
            number = UInt32(styles.count)
            styles.append(style)
        }
        places[place] = number
        if count * 2 > places.count { rehash(places.count * 2) }
        return number
    }

    /// One mark per style, all unset.
    var unmarked: [Bool] { [Bool](repeating: false, count: styles.count) }

    /// Removes the unused styles.
    mutating func keep(_ isUsed: [Bool]) {
        free = (1..<styles.count).filter { !isUsed[$0] }.reversed().map { UInt32($0) }
        for number in free { styles[Int(number)] = .plain }
        rehash(places.count)
    }

    private mutating func rehash(_ size: Int) {
        places = [UInt32](repeating: 0, count: size)
        for number in 1..<styles.count where styles[number] != .plain {
            var place = Self.place(styles[number], size - 1)
            while places[place] != 0 { place = (place + 1) & (size - 1) }
            places[place] = UInt32(number)
        }
    }

    @inline(__always)
    private static func place(_ style: Style, _ mask: Int) -> Int {
        var mixed = style.mixed
        mixed = (mixed ^ mixed >> 32) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed ^ mixed >> 32) & mask
    }
}
