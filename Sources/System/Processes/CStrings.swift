import Core

/// Passes the words to `body` as the NULL-terminated array of C strings that exec expects.
func withCStrings<Result>(
    _ words: [ByteString],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var storage: [CChar] = []
    var offsets: [Int] = []
    for word in words {
        offsets.append(storage.count)
        storage += word.bytes.map { CChar(bitPattern: $0) }
        storage.append(0)
    }
    return unsafe storage.withUnsafeMutableBufferPointer { buffer in
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe offsets.map { offset in
            unsafe buffer.baseAddress.map { unsafe $0 + offset }
        }
        unsafe pointers.append(nil)
        return unsafe pointers.withUnsafeBufferPointer { list in
            guard let base = list.baseAddress else { preconditionFailure("an array with an element has storage") }
            return unsafe body(base)
        }
    }
}

/// Passes the text to `body` as a C string, or NULL for nil.
func withCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return unsafe text.withCString { unsafe body($0) }
}
