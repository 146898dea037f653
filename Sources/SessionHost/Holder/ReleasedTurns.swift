import Core
import Glibc
import System

/// Keeps the marks of turns when the part of the timeline that contains them is released.
///
/// They are moved to a file of their own, so that turns are listed when their output is no longer available.
struct ReleasedTurns: ~Copyable {
    private let path: String
    /// Nil until there is something to keep.
    private var file: FileDescriptor?
    /// The position in the timeline of the first line that has not been examined.
    private var position: UInt64

    private static let partBytes = 64 << 10
    /// The size at which the older half of the file is released; enough for tens of thousands of turns.
    private static let limitBytes: UInt64 = 16 << 20

    /// `position` is where the timeline starts: what precedes it has been released.
    init(path: String, from position: UInt64) {
        (self.path, self.position) = (path, position)
    }

    /// Copies the marks in the lines of the timeline that start before `end`, which is about to be released.
    ///
    /// A failure is ignored: turns that cannot be kept are lost, as on a full disk.
    mutating func keep(upTo end: UInt64, of timeline: CInt) {
        var kept: [UInt8] = []
        while position < end {
            let bytes = Self.read(timeline, from: position)
            guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { break }
            var start = bytes.startIndex
            while start <= last, position + UInt64(start) < end {
                let next = (bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? last) + 1
                if SessionLogEvent.isTurnMark(bytes[start..<next]) { kept += bytes[start..<next] }
                start = next
            }
            position += UInt64(start)
        }
        if !kept.isEmpty { append(kept) }
    }

    private mutating func append(_ lines: [UInt8]) {
        if file == nil { file = try? FileDescriptor.open(path, O_RDWR | O_CREAT | O_APPEND, fallback: .cannotCreate) }
        guard let number = file?.number, BlockingIO.write(number, lines) == 0 else { return }
        let length = FileSpace.length(number)
        let first = FileSpace.firstData(number) ?? 0
        guard length - min(first, length) > Self.limitBytes else { return }
        let middle = length - Self.limitBytes / 2
        _ = FileSpace.release(number, 0..<(middle - middle % 4096))
    }

    private static func read(_ file: CInt, from position: UInt64) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: partBytes) { buffer, count in
            count = max(0, unsafe pread(file, buffer.baseAddress, partBytes, off_t(position)))
        }
    }
}
