/// Finds the end of a JSON value, resuming when more bytes are available.
///
/// It only tracks nesting: whether the value is valid JSON is checked when it is parsed.
struct ValueSearch {
    private var position = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    var isAtStart: Bool { position == 0 }

    /// Returns the length of the value at the start of the bytes; nil if its end has not been reached.
    mutating func length(in bytes: Span<UInt8>, isAtEnd: Bool) -> Int? {
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 0 { return position }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                // Outside arrays and objects, the punctuation mark ends the number or word before it.
                if depth == 0 { return position - 1 }
                depth -= 1
                if depth == 0 { return position }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return position - 1 }
            default:
                break
            }
        }
        return isAtEnd && depth == 0 && !isInString ? position : nil
    }
}
