import Core

/// A buffer of unread bytes, which are consumed line by line.
package struct LineBuffer {
    package private(set) var bytes: [UInt8] = []
    /// The index of the first unconsumed byte.
    private(set) var start = 0
    /// The unconsumed bytes before this index contain no line feed.
    private var searched = 0

    /// The number of unconsumed bytes.
    package var count: Int { bytes.count - start }

    package init() {}

    package mutating func append(_ more: some Collection<UInt8>) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes += more
    }

    /// Returns the next line without its line feed; nil if there is none yet.
    package mutating func line() -> Range<Int>? {
        guard searched < bytes.count else { return nil }
        let found = bytes.firstIndex(of: UInt8(ascii: "\n"), in: searched..<bytes.count)
        searched = found ?? bytes.count
        return found.map { start..<$0 }
    }

    /// Discards all bytes before `index`.
    package mutating func consume(to index: Int) {
        start = min(index, bytes.count)
        searched = max(searched, start)
    }
}
