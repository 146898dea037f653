import Core

/// Parses offsets in a session's output.
enum SessionOffset {
    /// - Throws: `usage` for anything but a non-negative integer.
    static func parse(_ text: String) throws(VTError) -> UInt64 {
        guard let offset = UInt64(text), text.first != "+" else {
            throw VTError(.usage, "invalid offset '\(text)'", hint: "use a number of bytes, such as 0")
        }
        return offset
    }
}
