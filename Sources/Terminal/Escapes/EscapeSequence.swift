/// A control character or escape sequence in terminal output (ECMA-48; xterm's ctlseqs).
package struct EscapeSequence: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A single control character, in `final`.
        case control
        /// `ESC`, intermediates as the body, and `final`.
        case escape
        /// `ESC [`, with parameters and intermediates as the body, and `final`.
        case controlSequence
        /// `ESC ]`, and a body that ends at BEL or ST.
        case command
        /// `ESC P`, and a body that ends at ST.
        case deviceControl
        /// `ESC X`, `ESC ^`, `ESC _` or `ESC k`, with the second byte as `final`, and a body that ends at ST.
        case otherString
    }

    package var kind: Kind
    package var final: UInt8
    /// The bytes between the introducer and the terminator, truncated to `EscapeScanner.bodyLimitBytes`.
    package var body: [UInt8]
    package var isCut: Bool
    /// The offset of the first byte, as counted by the scanner.
    package var start: UInt64
    /// The offset after the last byte, as counted by the scanner.
    package var end: UInt64

    /// Whether this is a string that tmux(1) passes to the terminal it runs in: `DCS tmux;` and a sequence in which
    /// each `ESC` is doubled.
    var isPassThrough: Bool { kind == .deviceControl && body.starts(with: Self.passThroughMark) }

    private static let passThroughMark = Array("tmux;".utf8)

    /// The first byte of a control sequence's body if it is one of `<=>?`.
    package var marker: UInt8? {
        guard kind == .controlSequence, let first = body.first, (0x3C...0x3F).contains(first) else { return nil }
        return first
    }

    /// The intermediates of a control sequence, which precede `final`.
    package var intermediates: ArraySlice<UInt8> {
        let start = body.lastIndex { !(0x20...0x2F).contains($0) }.map { $0 + 1 } ?? 0
        return body[start...]
    }

    /// The numeric parameters of a control sequence, including each subparameter after a colon; omitted ones are 0.
    package var parameters: [Int] {
        var numbers: [Int] = []
        var number = 0
        for byte in body {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = min(number * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000)
            case UInt8(ascii: ";"), UInt8(ascii: ":"):
                numbers.append(number)
                number = 0
            default: continue
            }
        }
        return numbers + [number]
    }
}
