import Core

/// Bytes for a session's terminal.
package struct SessionInput: Sendable {
    package var bytes: [UInt8]

    /// Pasted text has no end of its own within it, so that it cannot leave its brackets (xterm, ctlseqs, bracketed
    /// paste mode).
    private static let pasteStart = Array("\u{1b}[200~".utf8)
    private static let pasteEnd = Array("\u{1b}[201~".utf8)

    /// Text, then keys, then Enter; with `isPaste` the text comes as if pasted, with CR for its line ends as terminals
    /// send it.
    package init(text: [UInt8], isPaste: Bool = false, keys: [[UInt8]] = [], entersLine: Bool = false) {
        bytes = isPaste ? Self.pasted(text) : text
        for key in keys { bytes += key }
        if entersLine { bytes.append(UInt8(ascii: "\r")) }
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private static func pasted(_ text: [UInt8]) -> [UInt8] {
        var clean: [UInt8] = []
        clean.reserveCapacity(text.count + 16)
        for byte in text {
            clean.append(byte == UInt8(ascii: "\n") ? UInt8(ascii: "\r") : byte)
            // Taking one marker out may put another one together, whose beginning then already stands here.
            if byte == UInt8(ascii: "~"), clean.suffix(pasteEnd.count).elementsEqual(pasteEnd) {
                clean.removeLast(pasteEnd.count)
            }
        }
        return pasteStart + clean + pasteEnd
    }
}
