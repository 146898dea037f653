import Core

/// A line of a script(1) timing file.
enum TypescriptEntry {
    case output(Int)
    case input(Int)
    case resize(TerminalSize)
    /// Any other signal, or a resize without a valid size.
    case signal
    case fact(String, String)

    /// Returns nil for a malformed line, and for an entry of an unknown kind.
    static func parse(_ line: [UInt8]) -> (delay: RecordingTime, entry: TypescriptEntry)? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
        guard let first = words.first?.first else { return nil }
        let isClassic = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        guard words.count >= (isClassic ? 2 : 3), let delay = time(words[isClassic ? 0 : 1]) else { return nil }
        if isClassic { return count(words[1]).map { (delay, .output($0)) } }
        let value = words.count > 3 ? String(decoding: words[3], as: UTF8.self) : ""
        let entry: TypescriptEntry? =
            switch words[0] {
            case [UInt8(ascii: "O")]: count(words[2]).map { .output($0) }
            case [UInt8(ascii: "I")]: count(words[2]).map { .input($0) }
            case [UInt8(ascii: "H")]: .fact(String(decoding: words[2], as: UTF8.self), value)
            case [UInt8(ascii: "S")]: signal(String(decoding: words[2], as: UTF8.self), value)
            default: nil
            }
        return entry.map { (delay, $0) }
    }

    private static func time(_ word: ArraySlice<UInt8>) -> RecordingTime? {
        let bytes = Array(word)
        var position = 0
        guard let time = EventScanner.time(bytes.span, &position), position == bytes.count else { return nil }
        return time
    }

    private static func count(_ word: ArraySlice<UInt8>) -> Int? {
        let digits = word.last == 0x0D ? word.dropLast() : word
        guard let count = Int(String(decoding: digits, as: UTF8.self)), count >= 0 else { return nil }
        return count
    }

    /// Parses a signal entry such as `SIGWINCH ROWS=30 COLS=90`.
    private static func signal(_ name: String, _ value: String) -> TypescriptEntry {
        var sides: [Substring: Int] = [:]
        for word in value.split(whereSeparator: { $0 == " " || $0 == "\r" }) {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2, let side = Int(parts[1]) { sides[parts[0]] = side }
        }
        guard name == "SIGWINCH", let columns = sides["COLS"], let rows = sides["ROWS"],
            let size = TerminalSize(columns: columns, rows: rows)
        else { return .signal }
        return .resize(size)
    }
}
