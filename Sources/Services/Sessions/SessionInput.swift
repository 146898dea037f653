import Terminal

/// Input for a session's terminal.
package struct SessionInput: Sendable {
    package var bytes: [UInt8]

    /// The text, then the keys and, with `entersLine`, Enter; with `isPaste`, the text is sent as a bracketed paste, in
    /// which terminals send CR as the line end.
    package init(text: [UInt8], isPaste: Bool = false, keys: [[UInt8]] = [], entersLine: Bool = false) {
        bytes = isPaste ? PasteEncoder.bytes(of: text, isBracketed: true) : text
        for key in keys { bytes += key }
        if entersLine { bytes.append(UInt8(ascii: "\r")) }
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}
