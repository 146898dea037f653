import Glibc

extension EscapeMachine {
    /// Returns the index of the next `ESC`, from `start` on; nil if there is none.
    static func nextEscape(_ bytes: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
        // Text between sequences is usually short; memchr(3) handles longer text.
        if start + 8 <= count {
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            let difference = word ^ 0x1B1B_1B1B_1B1B_1B1B
            let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            if zeros != 0 { return start + zeros.trailingZeroBitCount / 8 }
        }
        guard let escape = unsafe memchr(bytes + start, 0x1B, count - start) else { return nil }
        return unsafe bytes.distance(to: UnsafeRawPointer(escape))
    }
}
