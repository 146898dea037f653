/// The sequences at which servers cut the history of a session: what precedes the last one is not sent again.
enum ClearSequence {
    private static let escape: UInt8 = 0x1B
    /// What follows ESC, as in upstream's `pruning-detector.ts`.
    private static let endings: [[UInt8]] = [
        "c", "[2J", "[3J", "[H\u{1B}[J", "[H\u{1B}[2J", "[?1049h", "[?1049l", "[?47h", "[?47l",
    ].map { Array($0.utf8) }

    static func isContained(in bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let index = rest.firstIndex(of: escape) {
            rest = rest[(index + 1)...]
            if endings.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }
}
