import Core

/// The sequences at which servers cut the history of a session: what precedes the last one is not sent again.
extension ReplayFilter {
    private static let escape: UInt8 = 0x1B
    /// What follows ESC, as in upstream's `pruning-detector.ts`.
    private static let endings: [[UInt8]] = [
        "c", "[2J", "[3J", "[H\u{1B}[J", "[H\u{1B}[2J", "[?1049h", "[?1049l", "[?47h", "[?47l",
    ].map { Array($0.utf8) }

    static func containsClearSequence(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while let index = bytes.firstIndex(of: escape, in: start..<bytes.count) {
            start = index + 1
            // Most sequences end with another letter, such as that of a color.
            let rest = bytes[start...]
            guard let first = rest.first, first == UInt8(ascii: "c") || first == UInt8(ascii: "[") else { continue }
            let second = rest.dropFirst().first
            guard first == UInt8(ascii: "c") || second.map(secondBytes.contains) == true else { continue }
            if endings.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }

    /// The bytes that can follow `[` in `endings`.
    private static let secondBytes = Array("23H?".utf8)
}
