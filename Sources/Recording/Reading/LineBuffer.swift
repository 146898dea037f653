import Glibc

/// Bytes that are yet to be read, and where their lines end.
struct LineBuffer {
    private(set) var bytes: [UInt8] = []
    /// The first byte that is not consumed.
    private(set) var start = 0
    /// Up to here there is no line feed.
    private var searched = 0

    /// How many bytes are not consumed.
    var count: Int { bytes.count - start }

    mutating func append(_ more: some Collection<UInt8>) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes += more
    }

    /// Returns the next line without its line feed; nil where there is none yet.
    mutating func line() -> Range<Int>? {
        guard searched < bytes.count else { return nil }
        let found = unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress,
                let match = unsafe memchr(base + searched, 0x0A, buffer.count - searched)
            else { return Int?.none }
            return unsafe base.distance(to: UnsafeRawPointer(match))
        }
        searched = found ?? bytes.count
        return found.map { start..<$0 }
    }

    /// Drops all bytes before `index`.
    mutating func consume(to index: Int) {
        start = min(index, bytes.count)
        searched = max(searched, start)
    }
}
