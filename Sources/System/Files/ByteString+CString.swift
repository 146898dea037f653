import Core

extension ByteString {
    /// Passes the bytes to `body` as a C string, which ends at the first NUL.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else {
                    preconditionFailure("an array with an element has storage")
                }
                return unsafe body(start)
            }
        }
    }
}
