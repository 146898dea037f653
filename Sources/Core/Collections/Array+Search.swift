import Glibc

extension [UInt8] {
    /// The index of the first byte with this value in a range; nil if there is none.
    package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        unsafe withUnsafeBytes { bytes in
            let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
            guard let base = part.baseAddress, let found = unsafe memchr(base, CInt(byte), part.count) else {
                return nil
            }
            return unsafe range.lowerBound + (UnsafeRawPointer(found) - base)
        }
    }
}
