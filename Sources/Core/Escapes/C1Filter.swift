/// Takes the C1 controls in UTF-8 (U+0080–U+009F) out of the bytes for a terminal, however they are split.
///
/// They pass for text nearly everywhere, but some terminals act on them: U+009B begins a control sequence there. Xterm
/// and tmux ignore them in UTF-8 (xterm's ctlseqs, "Control Bytes, Characters, and Sequences").
package struct C1Filter: Sendable {
    /// The first byte of all of them; it was held back, as it was the last.
    private var isHolding = false

    private static let lead: UInt8 = 0xC2

    package init() {}

    /// Returns the bytes without them; a last byte that may begin one comes with the next bytes.
    package mutating func filter(_ bytes: [UInt8]) -> [UInt8] {
        guard isHolding || bytes.contains(Self.lead), !bytes.isEmpty else { return bytes }
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count + 1)
        for byte in bytes {
            if isHolding {
                isHolding = false
                if (0x80..<0xA0).contains(byte) { continue }
                kept.append(Self.lead)
            }
            if byte == Self.lead { isHolding = true } else { kept.append(byte) }
        }
        return kept
    }
}
