import Core

/// Gives what a log keeps to a receiver, piece by piece.
struct LogReader: Sendable {
    let log: any SessionLog
    /// The next byte that the receiver gets.
    private(set) var position: UInt64

    private static let pieceBytes = 256 << 10

    init(_ log: any SessionLog, from position: UInt64) {
        self.log = log
        self.position = position
    }

    /// Reads up to `end`; what is not kept any more, or never was, is told as a gap.
    ///
    /// Returns false when the receiver wants no more.
    mutating func read(to end: UInt64, receiver: any OutputReceiver) async throws(VTError) -> Bool {
        while position < end {
            let bytes = try log.read(from: position, limit: Int(min(end - position, UInt64(Self.pieceBytes))))
            // Only now, since bytes that are released while they are read come as zeros.
            let first = try log.firstOffset()
            if first > position {
                try await skip(to: min(first, end), receiver: receiver)
            } else if bytes.isEmpty {
                try await skip(to: end, receiver: receiver)
            } else {
                guard try await take(bytes[...], receiver: receiver) else { return false }
            }
        }
        return true
    }

    /// Takes bytes that came another way, from `position` on.
    mutating func take(_ bytes: ArraySlice<UInt8>, receiver: any OutputReceiver) async throws(VTError) -> Bool {
        guard !bytes.isEmpty else { return true }
        let offset = position
        position += UInt64(bytes.count)
        return try await receiver.output(Array(bytes), at: offset)
    }

    private mutating func skip(to end: UInt64, receiver: any OutputReceiver) async throws(VTError) {
        try await receiver.gap(from: position, to: end)
        position = end
    }

    // MARK: - Where to begin

    /// The offset that a start means for a log that ends at `end`.
    static func offset(of start: LogStart, in log: any SessionLog, end: UInt64) throws(VTError) -> UInt64 {
        switch start {
        case .offset(let offset): return offset
        case .time(let time): return try log.offset(at: time)
        case .last(let duration):
            let seconds = duration.components.seconds + (duration.components.attoseconds > 0 ? 1 : 0)
            return try log.offset(at: Timestamp(seconds: Timestamp.now().seconds - seconds))
        case .lastLines(let count): return try offset(ofLastLines: count, in: log, end: end)
        }
    }

    /// As tail(1): a line end that is the last byte begins no further line.
    private static func offset(
        ofLastLines count: Int,
        in log: any SessionLog,
        end: UInt64
    ) throws(VTError) -> UInt64 {
        guard count > 0, end > 0 else { return end }
        let first = try log.firstOffset()
        var lines = 0
        var high = end
        while high > first {
            let low = max(first, high > UInt64(pieceBytes) ? high - UInt64(pieceBytes) : 0)
            let bytes = try log.read(from: low, limit: Int(high - low))
            for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "\n") {
                let offset = low + UInt64(index) + 1
                guard offset != end else { continue }
                lines += 1
                if lines == count { return offset }
            }
            high = low
        }
        return first
    }
}
