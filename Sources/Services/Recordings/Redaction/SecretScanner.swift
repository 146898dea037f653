/// Finds secrets of known shapes in a line.
///
/// Two bytes decide whether anything may begin or end with them; nearly all text is passed with that.
struct SecretScanner: Sendable {
    typealias Found = (_ range: Range<Int>, _ rule: String, _ markBytes: Int) -> Void

    /// What may be found where a pair of bytes stands.
    enum Trigger: Equatable, Sendable {
        /// A kind by its number, and the third byte of its mark; nil where that has two.
        case kind(Int, third: UInt8?)
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
        var bits = [UInt64](repeating: 0, count: 1024)
        /// For each pair the number of its list of triggers.
        var slots = [UInt16](repeating: 0, count: 1 << 16)
        var lists: [[Trigger]] = [[]]

        init() {
            for (index, kind) in SecretKind.all.enumerated() {
                add(kind.mark[0], kind.mark[1], .kind(index, third: kind.mark.dropFirst(2).first))
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
        }

        private mutating func add(_ first: UInt8, _ second: UInt8, _ trigger: Trigger) {
            let pair = UInt16(first) << 8 | UInt16(second)
            bits[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
            let list = lists[Int(slots[Int(pair)])] + [trigger]
            if let number = lists.firstIndex(of: list) {
                slots[Int(pair)] = UInt16(number)
            } else {
                slots[Int(pair)] = UInt16(lists.count)
                lists.append(list)
            }
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
        var isFirstColon = true
        var last = UInt16(bytes[0])
        for index in 1..<bytes.count {
            let pair = last << 8 | UInt16(bytes[index])
            last = UInt16(bytes[index])
            guard table.bits[Int(pair >> 6)] & 1 << UInt64(pair & 63) != 0 else { continue }
            for trigger in table.lists[Int(table.slots[Int(pair)])] {
                switch trigger {
                case .kind(let number, let third):
                    if let third, index + 1 >= bytes.count || bytes[index + 1] != third { continue }
                    let kind = SecretKind.all[number]
                    if let range = kind.match(in: text, at: index - 1) {
                        found(range, kind.name, kind.keepsMark ? 0 : kind.mark.count)
                    }
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
}
