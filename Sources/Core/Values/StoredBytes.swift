/// A known number of bytes that are read in pieces, in memory or in a file.
package struct StoredBytes: Sendable {
    private let reading: @Sendable (Range<Int>) throws(VTError) -> [UInt8]
    private let bounds: Range<Int>

    private static let chunkBytes = 64 << 10

    /// Bytes in memory.
    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { range throws(VTError) in Array(bytes[range]) }
    }

    /// Bytes that `reading` returns: all of the range, which is never empty or longer than the largest read.
    package init(count: Int, reading: @escaping @Sendable (Range<Int>) throws(VTError) -> [UInt8]) {
        (self.reading, bounds) = (reading, 0..<count)
    }

    private init(_ bytes: StoredBytes, _ bounds: Range<Int>) {
        (reading, self.bounds) = (bytes.reading, bounds)
    }

    package var count: Int { bounds.count }

    /// A part of the bytes, without reading them; the range must be within `0..<count`.
    package subscript(range: Range<Int>) -> StoredBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return StoredBytes(self, bounds.lowerBound + range.lowerBound..<bounds.lowerBound + range.upperBound)
    }

    /// Reads all bytes.
    ///
    /// - Throws: `io`, also for a file that has become shorter.
    package func read() throws(VTError) -> [UInt8] {
        bounds.isEmpty ? [] : try reading(bounds)
    }

    /// The bytes in parts of at most 64 KiB, none of which is empty.
    package var chunks: some Sequence<StoredBytes> {
        stride(from: 0, to: count, by: Self.chunkBytes).lazy.map { self[$0..<min($0 + Self.chunkBytes, count)] }
    }
}
