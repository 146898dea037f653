import Terminal

/// Input that has been written to a session's terminal.
package struct SentInput: Hashable, Sendable {
    /// The end of the output before the input; nil on a machine without stable offsets.
    package var offset: UInt64?
    /// Whether the input was not shown, as with a password.
    package var isHidden = false
}

/// Input for a session's terminal.
package struct SessionInput: Sendable {
    package enum Part: Equatable, Sendable {
        case text([UInt8])
        /// The bytes that a key sends.
        case key([UInt8])

        package static let enter = Part.key([UInt8(ascii: "\r")])
    }

    package var bytes: [UInt8]

    /// The parts in order; unless `isBracketed` is nil, each text is sent as a paste, with CR as the line end, as
    /// terminals do, and as a bracketed one if it is true.
    package init(_ parts: [Part], isBracketed: Bool? = nil) {
        bytes = parts.flatMap { part in
            switch part {
            case .text(let text): isBracketed.map { PasteEncoder.bytes(of: text, isBracketed: $0) } ?? text
            case .key(let bytes): bytes
            }
        }
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }
}
