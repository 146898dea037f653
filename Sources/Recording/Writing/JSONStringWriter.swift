/// Writes UTF-8 text as a JSON string.
enum JSONStringWriter {
    /// Appends the string in quotes; quotes, backslashes, control characters and DEL are escaped.
    static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        let text = text.span
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        while start < text.count {
            let end = min(start + pieceLength, text.count)
            append(text.extracting(start..<end), to: &bytes)
            start = end
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The number of bytes of text to escape at a time, which limits the memory to allocate: escaping can make text six
    /// times as long.
    private static let pieceLength = 32 << 10

    private static func append(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
        // A one-byte control character becomes a six-byte escape.
        bytes.append(addingCapacity: text.count * 6) { output in
            for index in text.indices {
                let byte = text[index]
                if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != 0x7F {
                    output.append(byte)
                } else {
                    escape(byte, &output)
                }
            }
        }
    }

    static func append(_ text: String, to bytes: inout [UInt8]) {
        append(Array(text.utf8), to: &bytes)
    }

    private static func escape(_ byte: UInt8, _ output: inout OutputSpan<UInt8>) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0x09: output.append(UInt8(ascii: "t"))
        default:
            output.append(UInt8(ascii: "u"))
            output.append(UInt8(ascii: "0"))
            output.append(UInt8(ascii: "0"))
            output.append(digit(byte >> 4))
            output.append(digit(byte & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
