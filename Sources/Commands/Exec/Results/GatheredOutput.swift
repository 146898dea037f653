import Core
import Synchronization

/// One output stream of one target, kept until the end: its start in the spool's file, the rest in memory.
final class GatheredOutput: ByteSink {
    /// A contiguous range of the file.
    fileprivate struct Segment {
        var offset: Int64
        var count: Int
    }

    private struct State {
        var segments: [Segment] = []
        /// The bytes after the segments.
        var tail: [UInt8] = []
        /// The number of bytes of the tail that count toward the spool's memory limit.
        var reservedBytes = 0
        var size = 0
    }

    /// Output is collected up to this size before it is written to the file.
    ///
    /// Up to this many bytes of each stream are not counted toward the memory limit.
    private static let segmentBytes = 4 << 10
    /// The maximum number of bytes of one stream to keep in memory, even if the spool's limit is not reached.
    private static let tailLimitBytes = 1 << 20

    private let spool: GatherSpool
    private let state = Mutex(State())

    init(_ spool: GatherSpool) {
        self.spool = spool
    }

    var isEmpty: Bool { state.withLock { $0.size == 0 } }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try state.withLock { state throws(VTError) in
            state.tail += bytes
            state.size += bytes.count
            let hasRoom = state.tail.count <= Self.tailLimitBytes && spool.reserve(bytes.count)
            if hasRoom { state.reservedBytes += bytes.count }
            guard !hasRoom, state.tail.count >= Self.segmentBytes else { return }
            let offset = try spool.append(state.tail)
            if let last = state.segments.last, last.offset + Int64(last.count) == offset {
                state.segments[state.segments.count - 1].count += state.tail.count
            } else {
                state.segments.append(Segment(offset: offset, count: state.tail.count))
            }
            spool.release(state.reservedBytes)
            state.reservedBytes = 0
            state.tail = []
        }
    }

    /// Releases the memory; the stream can no longer be read.
    func discard() {
        state.withLock { state in
            spool.release(state.reservedBytes)
            state = State()
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

    /// A summary that distinguishes most different streams without comparing them.
    struct Summary: Hashable {
        var size = 0
        var hash = 0
    }

    func summary() async throws(VTError) -> Summary {
        var reader = reader()
        var summary = Summary()
        var hasher = Hasher()
        while let piece = try reader.next() {
            summary.size += piece.count
            unsafe piece.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
            // Let other targets continue.
            await Task.yield()
        }
        summary.hash = hasher.finalize()
        return summary
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
