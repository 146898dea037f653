import Core
import Synchronization

/// One output stream of one target, kept until the end: in whole blocks in the spool's file, the rest in memory.
final class GatheredOutput: ByteSink {
    /// A contiguous range of the file.
    fileprivate struct Segment {
        var offset: Int64
        var count: Int
    }

    private struct State {
        var segments: [Segment] = []
        /// The bytes after the segments; fewer than a block.
        var tail: [UInt8] = []
        /// The number of bytes in the segments.
        var size = 0
        /// Contains the blocks in the segments.
        var hasher = Hasher()
    }

    /// Equal streams are hashed in equal blocks, however they arrive.
    private static let blockBytes = 4 << 10

    private let spool: GatherSpool
    private let state = Mutex(State())

    init(_ spool: GatherSpool) {
        self.spool = spool
    }

    var isEmpty: Bool { state.withLock { $0.segments.isEmpty && $0.tail.isEmpty } }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try state.withLock { state throws(VTError) in
            state.tail += bytes
            let count = state.tail.count / Self.blockBytes * Self.blockBytes
            guard count > 0 else { return }
            let blocks = Array(state.tail.prefix(count))
            let offset = try spool.append(blocks)
            if let last = state.segments.last, last.offset + Int64(last.count) == offset {
                state.segments[state.segments.count - 1].count += count
            } else {
                state.segments.append(Segment(offset: offset, count: count))
            }
            for start in stride(from: 0, to: count, by: Self.blockBytes) {
                let block = blocks[start..<start + Self.blockBytes]
                unsafe block.withUnsafeBytes { unsafe state.hasher.combine(bytes: $0) }
            }
            state.size += count
            state.tail.removeFirst(count)
        }
    }

    /// A summary that distinguishes most different streams without comparing them.
    struct Summary: Hashable {
        var size = 0
        var hash = 0
    }

    var summary: Summary {
        state.withLock { state in
            var hasher = state.hasher
            unsafe state.tail.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            return Summary(size: state.size + state.tail.count, hash: hasher.finalize())
        }
    }

    /// Returns a reader for the whole stream.
    func reader() -> Reader {
        let (segments, tail) = state.withLock { ($0.segments, $0.tail) }
        return Reader(spool: spool, segments: segments[...], tail: tail)
    }

    /// Reads the stream once, in pieces.
    struct Reader {
        /// The size of the pieces, except for the last one.
        private static let pieceBytes = 64 << 10

        private let spool: GatherSpool
        private var segments: ArraySlice<Segment>
        private let tail: [UInt8]
        private var tailOffset = 0

        fileprivate init(spool: GatherSpool, segments: ArraySlice<Segment>, tail: [UInt8]) {
            self.spool = spool
            self.segments = segments
            self.tail = tail
        }

        /// Returns the next piece, or nil at the end; equal streams have equal pieces.
        mutating func next() throws(VTError) -> [UInt8]? {
            var piece: [UInt8] = []
            while piece.count < Self.pieceBytes, let segment = segments.first {
                let count = min(segment.count, Self.pieceBytes - piece.count)
                let bytes = try spool.read(at: segment.offset, limit: count)
                guard !bytes.isEmpty else { throw VTError(.io, "the temporary file for --gather was truncated") }
                piece += bytes
                if bytes.count == segment.count {
                    segments.removeFirst()
                } else {
                    segments[segments.startIndex].offset += Int64(bytes.count)
                    segments[segments.startIndex].count -= bytes.count
                }
            }
            let rest = tail[tailOffset...].prefix(Self.pieceBytes - piece.count)
            tailOffset += rest.count
            piece += rest
            return piece.isEmpty ? nil : piece
        }
    }
}

extension GatheredOutput {
    /// The whole stream.
    func bytes() throws(VTError) -> [UInt8] {
        var reader = reader()
        var bytes: [UInt8] = []
        while let piece = try reader.next() { bytes += piece }
        return bytes
    }

    func isEqual(to other: GatheredOutput) async throws(VTError) -> Bool {
        var (reader, otherReader) = (reader(), other.reader())
        while true {
            let (piece, otherPiece) = (try reader.next(), try otherReader.next())
            guard piece == otherPiece else { return false }
            if piece == nil { return true }
            await Task.yield()
        }
    }
}
