/// Removes UTF-8 encoded C1 controls (U+0080–U+009F) from terminal output, however it is split into chunks.
///
/// Most terminals treat them as text, but on some, U+009B starts a control sequence. xterm and tmux ignore them in
/// UTF-8 (xterm's ctlseqs, "Control Bytes, Characters, and Sequences").
package struct C1Filter: Sendable {
    /// Whether 0xC2, the first byte of every C1 control, is held back because the last chunk ended with it.
    private var isHolding = false

    private static let lead: UInt8 = 0xC2

    package init() {}

    /// Returns the bytes without C1 controls; a final byte that may start one is held back until the next call.
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
