/// Finds secrets with known formats in a line.
///
/// A lookup of each pair of bytes decides whether anything can start or end there, so nearly all text is skipped.
struct SecretScanner: Sendable {
    typealias Found = (_ range: Range<Int>, _ rule: String, _ markBytes: Int) -> Void

    /// A possible meaning of a pair of bytes.
    private enum Trigger: Equatable, Sendable {
        /// The index of a kind, and the two bytes that follow the pair in its mark; `mask` excludes bytes beyond the
        /// end of the mark.
        case kind(Int, next: UInt16, mask: UInt16)
        /// `=` or `:` after a name.
        case assignment
        /// The end of a tag: `<password>`.
        case tag
        /// An option: `--token`, `-p`.
        case option
        /// A keyword that can precede a secret: `Bearer`, `password`, `setenv`.
        case word
        /// A vertical bar between the cells of a table.
        case cell
    }

    private static let table = Table()

    /// The triggers of each pair of bytes.
    private struct Table: Sendable {
        /// One bit for each pair with any trigger.
        private(set) var bits = [UInt64](repeating: 0, count: 1024)
        /// One bit for each pair with a kind.
        private(set) var kindBits = [UInt64](repeating: 0, count: 1024)
        /// The index of the trigger list of each pair in `ranges`.
        private(set) var slots = [UInt16](repeating: 0, count: 1 << 16)
        /// All trigger lists concatenated, and the range of each.
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

        /// The pairs for secrets that are recognized by their context.
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
            add(UInt8(ascii: " "), UInt8(ascii: "|"), .cell)
            // The first bytes of box-drawing characters such as `│`.
            add(0xE2, 0x94, .cell)
            for byte in "-upPawbN".utf8 { add(UInt8(ascii: "-"), byte, .option) }
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

    /// The context that the previous line provides for the current one.
    enum Former: Sendable {
        case nothing
        /// The name of a secret whose value should follow: `- name: DB_PASSWORD`.
        case name
        /// The start of an entry in a .netrc, which a password should follow.
        case login
        /// The name of a secret and `|` or `>`; the value consists of the following lines with a larger indentation
        /// (YAML 1.2, §8.1).
        case block(indent: Int)
    }

    /// Calls `found` with all tokens of a text and, unless `tokensOnly`, everything in it that is labeled as a secret;
    /// returns whether the text contains a vertical bar after a blank, which can separate the cells of a table.
    func scan(_ text: LineText, tokensOnly: Bool = false, after former: Former = .nothing, _ found: Found) -> Bool {
        guard text.count > 3 else { return false }
        var hasCells = false
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
                case .cell: hasCells = true
                }
            }
        }
        if !tokensOnly { following(former, text, found) }
        return hasCells
    }

    /// The two bytes at an index; 0 after the end.
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
