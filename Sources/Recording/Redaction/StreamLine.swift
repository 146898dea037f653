/// A line in one of the views of a byte stream, with the origin of each of its bytes.
struct StreamLine {
    private(set) var bytes: [UInt8] = []
    /// The parts whose bytes are consecutive in the stream, in order; bytes outside these parts must not be changed.
    private var pieces: [Piece] = []
    private(set) var isWhole = true

    private struct Piece {
        var start: Int
        var count: Int
        var offset: UInt64
    }

    /// The maximum length in bytes.
    ///
    /// When a line gets this long, it is searched, and its first half is discarded. The second half is kept, because a
    /// secret at its end can be incomplete.
    static let limitBytes = 64 << 10

    var isFull: Bool { bytes.count >= Self.limitBytes }
    var isEmpty: Bool { bytes.isEmpty }

    mutating func append(_ part: some Collection<UInt8>, from offset: UInt64?) {
        if let offset {
            if let last = pieces.last, last.start + last.count == bytes.count,
                last.offset + UInt64(last.count) == offset
            {
                pieces[pieces.count - 1].count += part.count
            } else {
                pieces.append(Piece(start: bytes.count, count: part.count, offset: offset))
            }
        }
        bytes += part
    }

    mutating func append(_ byte: UInt8, from offset: UInt64?) {
        append(CollectionOfOne(byte), from: offset)
    }

    /// Removes the last character.
    mutating func removeLast() {
        while let last = bytes.popLast() {
            if let piece = pieces.last, piece.start + piece.count > bytes.count {
                if piece.count == 1 { pieces.removeLast() } else { pieces[pieces.count - 1].count -= 1 }
            }
            if last & 0xC0 != 0x80 { return }
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        pieces.removeAll(keepingCapacity: true)
        isWhole = true
    }

    /// Discards the first half, up to a character boundary.
    mutating func dropHalf() {
        var cut = bytes.count / 2
        while cut < bytes.count, bytes[cut] & 0xC0 == 0x80 { cut += 1 }
        bytes.removeFirst(cut)
        pieces = pieces.compactMap { piece in
            let end = piece.start + piece.count
            guard end > cut else { return nil }
            let dropped = max(0, cut - piece.start)
            return Piece(
                start: max(0, piece.start - cut),
                count: piece.count - dropped,
                offset: piece.offset + UInt64(dropped)
            )
        }
        isWhole = false
    }

    /// Maps part of the line to the stream: returns ranges of the stream, and the bytes in them; bytes that must not be
    /// changed are omitted.
    func origin(of range: Range<Int>) -> (ranges: [Range<UInt64>], bytes: [UInt8]) {
        var ranges: [Range<UInt64>] = []
        var kept: [UInt8] = []
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].start + pieces[middle].count <= range.lowerBound {
                low = middle + 1
            } else {
                high = middle
            }
        }
        while low < pieces.count, pieces[low].start < range.upperBound {
            let piece = pieces[low]
            let part = max(piece.start, range.lowerBound)..<min(piece.start + piece.count, range.upperBound)
            let offset = piece.offset + UInt64(part.lowerBound - piece.start)
            ranges.append(offset..<offset + UInt64(part.count))
            kept += bytes[part]
            low += 1
        }
        return (ranges, kept)
    }
}
