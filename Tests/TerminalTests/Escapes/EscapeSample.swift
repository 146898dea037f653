import Terminal
import TestSupport

/// Random terminal output, well-formed or not.
enum EscapeSample {
    private static let pieces = [
        "hello world ", "\r\n", "äöü€😀", "\u{1B}[2J", "\u{1B}[H\u{1B}[J", "\u{1B}[1;38;5;196m",
        "\u{1B}[38:2::1:2:3;4:3m",
        "\u{1B}[m", "\u{1B}[?1049h", "\u{1B}[?1049l", "\u{1B}[?1000;1006h", "\u{1B}[?1006l", "\u{1B}[?2004h",
        "\u{1B}[?25l", "\u{1B}[?7l", "\u{1B}[2;20r", "\u{1B}[r", "\u{1B}[c", "\u{1B}[6n", "\u{1B}]0;a title\u{07}",
        "\u{1B}]11;?\u{1B}\\", "\u{1B}]52;c;?\u{07}", "\u{1B}P+q544e\u{1B}\\", "\u{1B}[>1u", "\u{1B}[<u", "\u{1B}[?u",
        "\u{1B}=", "\u{1B}>", "\u{1B}(0", "\u{1B}(B", "\u{0E}", "\u{0F}", "\u{07}", "\u{05}", "\u{1B}[4 q", "\u{1B}c",
        "\u{1B}[!p", "\u{1B}[>4;2m", "\u{1B}[18t", "\u{1B}", "\u{1B}[", "\u{1B}[?", "\u{18}", "\u{1B}\\", "\u{1B}]2;",
    ]

    static func bytes(_ count: Int, using random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if UInt8.random(in: 0..<20, using: &random) == 0 {
                bytes.append(UInt8.random(in: 0...255, using: &random))
            } else if let piece = pieces.randomElement(using: &random) {
                bytes += Array(piece.utf8)
            }
        }
        return bytes
    }
}
