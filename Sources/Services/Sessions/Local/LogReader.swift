import Core

/// Passes the contents of a log to a receiver, piece by piece.
struct LogReader: Sendable {
    let log: any SessionLog
    /// The offset of the next byte for the receiver.
    private(set) var position: UInt64

    private static let pieceBytes = 256 << 10

    init(_ log: any SessionLog, from position: UInt64) {
        self.log = log
        self.position = position
    }

    /// Reads up to `end`; missing output is reported as a gap.
    ///
    /// Returns false if the receiver stopped reading.
    mutating func read(to end: UInt64, receiver: any OutputReceiver) async throws(VTError) -> Bool {
        while position < end {
            let bytes = try log.read(from: position, limit: Int(min(end - position, UInt64(Self.pieceBytes))))
            // Checked after reading, because bytes discarded during the read appear as zeros.
            let first = try log.firstOffset()
            if first > position {
                try await skip(to: min(first, end), receiver: receiver)
            } else if bytes.isEmpty {
                try await skip(to: end, receiver: receiver)
            } else {
                guard try await forward(bytes[...], receiver: receiver) else { return false }
            }
        }
        return true
    }

    /// Passes on bytes that start at an offset, as far as they are new, after what the log has before them.
    mutating func forward(
        _ bytes: [UInt8],
        at offset: UInt64,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Bool {
        guard try await read(to: offset, receiver: receiver) else { return false }
        return try await forward(bytes.new(at: offset, after: position), receiver: receiver)
    }

    /// Passes on bytes from another source, starting at `position`.
    private mutating func forward(
        _ bytes: ArraySlice<UInt8>,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Bool {
        guard !bytes.isEmpty else { return true }
        let offset = position
        position += UInt64(bytes.count)
        return try await receiver.output(Array(bytes), at: offset)
    }

    private mutating func skip(to end: UInt64, receiver: any OutputReceiver) async throws(VTError) {
        try await receiver.gap(from: position, to: end)
        position = end
    }

    // MARK: - Start

    /// The offset of a start position in a log that ends at `end`.
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

    /// As in tail(1), a newline at the very end does not start another line.
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

extension [UInt8] {
    /// The part after `position` of output that starts at an offset; after a lost connection, output can be sent again.
    func new(at offset: UInt64, after position: UInt64) -> ArraySlice<UInt8> {
        dropFirst(position > offset ? Int(clamping: position - offset) : 0)
    }
}
