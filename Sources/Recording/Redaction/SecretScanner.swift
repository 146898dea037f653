/// Finds secrets of known shapes in a line.
///
/// Two bytes decide whether anything may begin or end with them; nearly all text is passed with that.
struct SecretScanner: Sendable {
    typealias Found = (_ range: Range<Int>, _ rule: String, _ markBytes: Int) -> Void

    /// What may be found where a pair of bytes stands.
    private enum Trigger: Equatable, Sendable {
        /// A kind by its number, and the two bytes of its mark behind the pair; `mask` leaves out those that it has not.
        case kind(Int, next: UInt16, mask: UInt16)
        /// `=` or `:` behind a name.
        case assignment
        /// The end of a tag: `<password>`.
        case tag
        /// An option: `--token`, `-p`.
        case option
        /// A word that a secret may follow: `Bearer`, `password`, `setenv`.
        case word
    }

    private static let table = Table()

    /// Which triggers a pair of bytes has.
    private struct Table: Sendable {
        /// A bit for each pair that has any.
        private(set) var bits = [UInt64](repeating: 0, count: 1024)
        /// The same for those that have a kind.
        private(set) var kindBits = [UInt64](repeating: 0, count: 1024)
        /// For each pair the number of its list of triggers.
        private(set) var slots = [UInt16](repeating: 0, count: 1 << 16)
        /// The lists one behind the other, and where each is.
        private(set) var triggers: [Trigger] = []
        private(set) var ranges: [Range<Int>] = []

        init() {
            var lists: [UInt16: [Trigger]] = [:]
            for (index, kind) in SecretKind.all.enumerated() {
                let rest = kind.mark.dropFirst(2).prefix(2)
                let next = rest.reduce(0) { $0 << 8 | UInt16($1) } << (16 - 8 * UInt16(rest.count))
                let mask: UInt16 = rest.count == 2 ? 0xFFFF : rest.count == 1 ? 0xFF00 : 0
                let pair = UInt16(kind.mark[0]) << 8 | UInt16(kind.mark[1])
                lists[pair, default: []].append(.kind(index, next: next, mask: mask))
                kindBits[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
            }
            for (pair, trigger) in Self.places { lists[pair, default: []].append(trigger) }
            for (pair, list) in lists {
                bits[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
                slots[Int(pair)] = UInt16(ranges.count)
                ranges.append(triggers.count..<triggers.count + list.count)
                triggers += list
            }
        }

        /// The pairs of what is known by its place.
        private static var places: [(UInt16, Trigger)] {
            var places: [(UInt16, Trigger)] = []
            func add(_ first: UInt8, _ second: UInt8, _ trigger: Trigger) {
                places.append((UInt16(first) << 8 | UInt16(second), trigger))
            }
            for byte in UInt8.min...UInt8.max {
                add(UInt8(ascii: "="), byte, .assignment)
                add(UInt8(ascii: ":"), byte, .assignment)
                add(UInt8(ascii: ">"), byte, .tag)
            }
            for byte in "-upPawb".utf8 { add(UInt8(ascii: "-"), byte, .option) }
            for (first, second) in [("p", "a"), ("b", "e"), ("i", "d"), ("s", "e"), ("t", "o"), ("k", "e")] {
                let (first, second) = (Array(first.utf8)[0], Array(second.utf8)[0])
                for byte in [first, first & 0xDF] {
                    add(byte, second, .word)
                    add(byte, second & 0xDF, .word)
                }
            }
            return places
        }
    }

    /// What the line before tells of this one.
    enum Former: Sendable {
        case nothing
        /// The name of a secret, whose value is to follow: `- name: DB_PASSWORD`.
        case name
        /// The user in a .netrc.
        case login
    }

    /// Calls with all tokens of a text, and where `tokensOnly` is false with all that is called a secret in it.
    func scan(_ text: LineText, tokensOnly: Bool = false, after former: Former = .nothing, _ found: Found) {
        guard text.count > 3 else { return }
        let bytes = text.bytes.span
        let table = Self.table
        let bits = tokensOnly ? table.kindBits.span : table.bits.span
        var isFirstColon = true
        var last = UInt16(bytes[0])
        for index in 1..<bytes.count {
            let pair = last << 8 | UInt16(bytes[index])
            last = UInt16(bytes[index])
            guard bits[Int(pair >> 6)] & 1 << UInt64(pair & 63) != 0 else { continue }
            let next = Self.pair(bytes, index + 1)
            for position in table.ranges[Int(table.slots[Int(pair)])] {
                switch table.triggers[position] {
                case .kind(let number, let expected, let mask):
                    guard next & mask == expected else { continue }
                    Self.match(number, text, at: index - 1, found)
                case _ where tokensOnly: break
                case .assignment:
                    if isFirstColon, pair >> 8 == UInt16(UInt8(ascii: ":")) {
                        isFirstColon = false
                        passwordFile(text, found)
                    }
                    assignment(text, at: index - 1, found)
                case .tag: tag(text, at: index - 1, found)
                case .option: option(text, at: index - 1, found)
                case .word: word(text, at: index - 1, found)
                }
            }
        }
        if !tokensOnly { following(former, text, found) }
    }

    /// The two bytes at an index; 0 behind the end.
    @inline(__always)
    private static func pair(_ bytes: Span<UInt8>, _ index: Int) -> UInt16 {
        (index < bytes.count ? UInt16(bytes[index]) << 8 : 0)
            | (index + 1 < bytes.count ? UInt16(bytes[index + 1]) : 0)
    }

    @inline(never)
    private static func match(_ number: Int, _ text: LineText, at index: Int, _ found: Found) {
        let kind = SecretKind.all[number]
        guard let range = kind.match(in: text, at: index) else { return }
        found(range, kind.name, kind.keepsMark ? 0 : kind.mark.count)
    }
}
