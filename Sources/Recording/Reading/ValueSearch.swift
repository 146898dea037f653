/// Finds where a JSON value ends; goes on where it stopped when there are more bytes.
///
/// It only tells the parts apart: whether the value is JSON is seen when it is read.
struct ValueSearch {
    private var position = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    var isAtStart: Bool { position == 0 }

    /// Returns how many of the bytes are the value that they begin with; nil where its end is not there yet.
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
                // In no array and no object, the sign ends what a number or a word stands in.
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
