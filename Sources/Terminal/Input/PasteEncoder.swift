/// Encodes pasted text for the modes set by a program.
package enum PasteEncoder {
    /// The marks around text in bracketed paste mode.
    package static let start = Array("\u{1B}[200~".utf8)
    package static let end = Array("\u{1B}[201~".utf8)

    /// Returns the text with CR as line endings.
    ///
    /// In bracketed paste mode, the text is enclosed in the start and end sequences, and end sequences within it are
    /// removed.
    package static func bytes(of text: [UInt8], for emulator: Emulator) -> [UInt8] {
        bytes(of: text, isBracketed: emulator.modes[.bracketedPaste])
    }

    package static func bytes(of text: [UInt8], isBracketed: Bool) -> [UInt8] {
        var clean: [UInt8] = []
        clean.reserveCapacity(text.count + 16)
        var previous: UInt8 = 0
        for byte in text {
            defer { previous = byte }
            if byte == UInt8(ascii: "\n"), previous == UInt8(ascii: "\r") { continue }
            clean.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: "\r") : byte)
            // Removing one end sequence may form another, whose start is already in the output.
            if isBracketed, byte == UInt8(ascii: "~"), clean.suffix(end.count).elementsEqual(end) {
                clean.removeLast(end.count)
            }
        }
        return isBracketed ? start + clean + end : clean
    }
}
