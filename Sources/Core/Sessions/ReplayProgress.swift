/// What is known of a session's output up to some position, as far as it tells from where to write it again.
struct ReplayProgress: Sendable {
    /// A position between two sequences, and what is in force there.
    struct Point: Sendable {
        var position: UInt64
        var modes: TerminalModes
    }

    /// Where one of the two screens may be written from.
    private struct Track: Sendable {
        /// The last clearing.
        var clearing: Point?
        /// Points about `spacingBytes` apart, for output that clears nothing.
        var marks: [Point] = []

        func point(from earliest: UInt64) -> Point? {
            if let clearing, clearing.position >= earliest { return clearing }
            return marks.first { $0.position >= earliest }
        }

        mutating func mark(_ point: Point) {
            marks.removeAll { $0.position + ReplayScreen.windowBytes + spacingBytes < point.position }
            marks.append(point)
        }
    }

    private var scanner = EscapeScanner()
    private(set) var modes = TerminalModes()
    /// Where the other screen was switched to, while it is shown.
    private(set) var entry: Point?
    private var main = Track(clearing: Point(position: 0, modes: TerminalModes()))
    private var other = Track()
    private var nextMark: UInt64 = Self.spacingBytes
    /// The last sequence that brought the cursor to the first cell.
    private var home: (start: UInt64, end: UInt64)?

    private static let spacingBytes: UInt64 = 16 << 10

    var position: UInt64 {
        scanner.position
    }

    /// The introducer of the string that is open at the position.
    var openString: [UInt8]? {
        scanner.openString
    }

    /// The best point to write the main screen from that is not before `earliest`.
    func mainPoint(from earliest: UInt64) -> Point? {
        main.point(from: earliest)
    }

    /// The best point to write from what is shown now.
    func shownPoint(from earliest: UInt64) -> Point? {
        modes.isOnOtherScreen ? other.point(from: earliest) : main.point(from: earliest)
    }

    /// Goes on behind output that is not kept any more.
    mutating func skip(to position: UInt64) {
        scanner = EscapeScanner(position: position)
        nextMark = position + 1
    }

    mutating func scan(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int(Self.spacingBytes))
            rest = rest.dropFirst(part.count)
            // The scanner works beside this value, which its discoveries change.
            var scanner = scanner
            scanner.scan(part) { take($0) }
            self.scanner = scanner
            if scanner.isBetweenSequences, !Self.endsInsideCharacter(part) { mark(position) }
        }
    }

    private mutating func take(_ sequence: EscapeSequence) {
        // Most sequences by far only change how characters look.
        if sequence.kind == .controlSequence, sequence.final == UInt8(ascii: "m") {
            modes.apply(sequence)
            return mark(sequence.end)
        }
        let before = modes
        modes.apply(sequence)
        if sequence.kind == .escape, sequence.body.isEmpty, sequence.final == UInt8(ascii: "c") {
            entry = nil
            main = Track(clearing: Point(position: sequence.start, modes: modes))
        } else if modes.isOnOtherScreen != before.isOnOtherScreen {
            entry = modes.isOnOtherScreen ? Point(position: sequence.start, modes: before) : nil
            other = Track(clearing: Point(position: sequence.end, modes: modes))
        } else if clears(sequence) {
            let start = home?.end == sequence.start ? home?.start : nil
            let point = Point(position: start ?? sequence.start, modes: before)
            if modes.isOnOtherScreen { other.clearing = point } else { main.clearing = point }
        }
        if isHome(sequence) { home = (sequence.start, sequence.end) }
        if sequence.kind != .control { mark(sequence.end) }
    }

    private mutating func mark(_ position: UInt64) {
        guard position >= nextMark else { return }
        nextMark = position + Self.spacingBytes
        let point = Point(position: position, modes: modes)
        if modes.isOnOtherScreen { other.mark(point) } else { main.mark(point) }
    }

    /// Whether the whole screen is empty after this: ED 2, or ED 0 in the first cell.
    private func clears(_ sequence: EscapeSequence) -> Bool {
        guard sequence.kind == .controlSequence, sequence.final == UInt8(ascii: "J") else { return false }
        return sequence.body == [UInt8(ascii: "2")]
            || home?.end == sequence.start && (sequence.body.isEmpty || sequence.body == [UInt8(ascii: "0")])
    }

    private func isHome(_ sequence: EscapeSequence) -> Bool {
        guard sequence.kind == .controlSequence else { return false }
        guard sequence.final == UInt8(ascii: "H") || sequence.final == UInt8(ascii: "f") else { return false }
        return sequence.marker == nil && sequence.parameters.allSatisfy { $0 <= 1 }
    }

    /// Whether bytes of UTF-8 end before their last character does.
    private static func endsInsideCharacter(_ bytes: ArraySlice<UInt8>) -> Bool {
        for (count, byte) in bytes.reversed().prefix(3).enumerated() where byte & 0xC0 != 0x80 {
            return byte >= 0xF0 && count < 3 || byte >= 0xE0 && count < 2 || byte >= 0xC0 && count < 1
        }
        return false
    }
}
