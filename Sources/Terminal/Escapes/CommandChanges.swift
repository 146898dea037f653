/// Terminal state changed by OSC sequences: colors, pointer shape, progress, and an open link.
///
/// The sequences are listed in xterm's ctlseqs, except for OSC 8, a hyperlink, and OSC 9;4, progress as in ConEmu.
struct CommandChanges: Hashable, Sendable {
    private var palette: Set<Int> = []
    private var special: Set<Int> = []
    private var dynamic: Set<Int> = []
    private var hasPointer = false
    private var hasProgress = false
    private var hasLink = false

    /// If more entries than this have changed, the whole palette is reset.
    private static let listLimit = 64

    /// The OSC sequences that undo the changes; empty if nothing has changed.
    var resetting: String {
        var commands: [String] = []
        if hasLink { commands.append("8;;") }
        commands += Self.command(104, palette) + Self.command(105, special)
        commands += dynamic.sorted().map { String($0 + 100) }
        if hasPointer { commands.append("22;") }
        if hasProgress { commands.append("9;4;0") }
        return commands.map { "\u{1B}]\($0)\u{1B}\\" }.joined()
    }

    private static func command(_ number: Int, _ indices: Set<Int>) -> [String] {
        guard !indices.isEmpty else { return [] }
        guard indices.count <= listLimit else { return [String(number)] }
        return ["\(number);" + indices.sorted().map(String.init).joined(separator: ";")]
    }

    mutating func apply(_ sequence: EscapeSequence) {
        guard let number = sequence.commandNumber else { return }
        let text = sequence.body.drop { (0x30...0x39).contains($0) }.dropFirst()
        let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        switch number {
        case 4:
            setPalette(parts, offset: 0)
            // The truncated part may have changed any color.
            if sequence.isCut { palette.formUnion(0...Self.listLimit) }
        case 5: setPalette(parts, offset: 256)
        case 8: hasLink = parts.count > 1 && !parts[1].isEmpty
        case 9:
            guard parts.first?.elementsEqual("4".utf8) == true else { return }
            hasProgress = parts.count > 1 && !parts[1].elementsEqual("0".utf8)
        case 10...19: setDynamic(parts, from: number)
        case 22: hasPointer = !text.isEmpty
        case 104: Self.reset(&palette, parts)
        case 105: Self.reset(&special, parts)
        case 110...119: dynamic.remove(number - 100)
        default: break
        }
    }

    /// Records the colors set by pairs of an index and a color; indices from 256 on are the special colors.
    private mutating func setPalette(_ parts: [ArraySlice<UInt8>], offset: Int) {
        for place in stride(from: 0, to: parts.count - 1, by: 2) where !Self.asks(parts[place + 1]) {
            guard let index = parts[place].number(maximumDigits: 3).map({ $0 + offset }) else { continue }
            if index < 256 { palette.insert(index) } else if index < 264 { special.insert(index - 256) }
        }
    }

    private mutating func setDynamic(_ parts: [ArraySlice<UInt8>], from number: Int) {
        for (offset, part) in parts.prefix(20 - number).enumerated() where !Self.asks(part) && !part.isEmpty {
            dynamic.insert(number + offset)
        }
    }

    private static func reset(_ indices: inout Set<Int>, _ parts: [ArraySlice<UInt8>]) {
        let listed = parts.compactMap { $0.number(maximumDigits: 3) }
        if listed.isEmpty { indices = [] } else { indices.subtract(listed) }
    }

    private static func asks(_ text: ArraySlice<UInt8>) -> Bool {
        text.elementsEqual([UInt8(ascii: "?")])
    }
}
