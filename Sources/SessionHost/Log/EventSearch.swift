import Core
import Glibc
import POSIX

/// Finds a point in time in the timeline of a session.
///
/// Lines are ordered by time, so a binary search needs only a few reads. Released parts read as NULs.
struct EventSearch: ~Copyable {
    private let file: FileDescriptor
    private let length: UInt64
    /// The size below which the remaining part is read line by line.
    private static let lastPartBytes: UInt64 = 16 << 10
    /// The number of bytes read at each step, more than the longest line.
    private static let probeBytes = 4 << 10

    init(path: String) throws(VTError) {
        file = try FileDescriptor.open(path, O_RDONLY)
        length = FileSpace.length(file.number)
    }

    /// Returns the end of the output that was written before a time; nil if the time precedes the first kept line.
    func offset(before time: Timestamp) -> UInt64? {
        var low: UInt64 = 0
        var high = length
        var found: UInt64?
        let (limit, isBeyond) = time.seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isBeyond else { return nil }
        while high - low > Self.lastPartBytes {
            let middle = low + (high - low) / 2
            if let event = firstOutput(from: middle), event.time >= limit {
                high = middle
            } else {
                low = middle
            }
        }
        let last = lines(from: low, limit: Int(Self.lastPartBytes) + 2 * Self.probeBytes)
        for event in last.compactMap(Self.output) {
            guard event.time < limit else { break }
            found = event.end
        }
        return found
    }

    /// The first output event that starts shortly after a position; nil if there is none, as in a released part.
    private func firstOutput(from position: UInt64) -> (time: Int64, end: UInt64)? {
        lines(from: position, limit: Self.probeBytes).lazy.compactMap(Self.output).first
    }

    private static func output(_ line: ArraySlice<UInt8>) -> (time: Int64, end: UInt64)? {
        guard let event = SessionLogEvent(line: line), case .output(let end) = event.kind else { return nil }
        return (event.time, end)
    }

    /// The complete lines in a part of the file.
    private func lines(from position: UInt64, limit: Int) -> [ArraySlice<UInt8>] {
        let bytes = read(from: position, limit: limit)
        var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if position > 0 || parts.first?.first == 0 { parts = Array(parts.dropFirst()) }
        return parts.dropLast()
    }

    /// Data that cannot be read is treated as released.
    private func read(from position: UInt64, limit: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, unsafe pread(file.number, buffer.baseAddress, limit, off_t(position)))
        }
    }
}
