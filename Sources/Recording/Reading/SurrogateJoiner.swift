/// Joins surrogate pairs that recorders split across two events of the same code.
///
/// The joined character is in the second event; the first event is kept without its surrogate.
struct SurrogateJoiner {
    /// The pending high surrogates, by the code of their events.
    private var halves: [String: UInt32] = [:]

    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    var isEmpty: Bool { halves.isEmpty }

    mutating func join(_ fields: EventScanner.Fields) -> EventScanner.Fields {
        guard fields.firstHalf != nil || fields.secondHalf != nil || !halves.isEmpty else { return fields }
        var fields = fields
        if let first = halves[fields.code] {
            halves[fields.code] = nil
            if let second = fields.secondHalf {
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                fields.data.replaceSubrange(..<3, with: scalar.map { Array(String($0).utf8) } ?? Self.replacement)
            } else {
                fields.data.insert(contentsOf: Self.replacement, at: 0)
            }
        }
        if let first = fields.firstHalf {
            fields.data.removeLast(3)
            halves[fields.code] = first
        }
        return fields
    }

    /// Returns the replacement for a high surrogate that is not followed by a low one; nil if there is none.
    mutating func takeHalf() -> (code: String, data: [UInt8])? {
        guard let code = halves.keys.sorted().first else { return nil }
        halves[code] = nil
        return (code, Self.replacement)
    }
}
