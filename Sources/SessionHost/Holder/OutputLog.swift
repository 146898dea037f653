import Core
import Glibc
import POSIX

/// The bytes of a session on disk, as far as they are kept.
///
/// The log is also the queue of every client that lags behind.
struct OutputLog: ~Copyable {
    let file: FileDescriptor
    var events: EventLog
    /// Where the program's output ends.
    private(set) var end: UInt64 = 0
    /// The first byte that is kept.
    private(set) var first: UInt64 = 0
    /// Where the log stopped; nothing behind it is kept.
    private(set) var stoppedAt: UInt64?
    let limitBytes: UInt64

    /// The least that is released at once; a multiple of the block size of every file system in use.
    private static let pageBytes: UInt64 = 64 << 10

    init(_ files: SessionFiles, limitBytes: UInt64, size: TerminalSize) throws(VTError) {
        let file = try FileDescriptor.open(
            files.output,
            O_RDWR | O_CREAT | O_EXCL | O_APPEND,
            fallback: .cannotCreate
        )
        Fault.point(.holdOutput)
        events = try EventLog(path: files.events, outputLimitBytes: limitBytes, size: size)
        self.file = consume file
        self.limitBytes = limitBytes
    }

    /// Where the kept bytes end.
    var keptEnd: UInt64 { stoppedAt ?? end }

    /// Adds what the program wrote; a disk that is full stops the log for good, as offsets must stay true.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        var written = 0
        while stoppedAt == nil, written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let result = unsafe write(file.number, rest.baseAddress, rest.count)
            if result >= 0 {
                written += result
            } else if errno != EINTR {
                stoppedAt = end + UInt64(written)
            }
        }
        end += UInt64(bytes.count)
        if stoppedAt == nil {
            events.output(end: end)
            if end - first > limitBytes { release() }
        }
    }

    /// Reads kept bytes to the end of `buffer`, at most `limit`.
    ///
    /// The corresponding C function is `pread`.
    func read(from offset: UInt64, limit: Int, into buffer: inout [UInt8]) -> Int {
        let count = min(limit, Int(keptEnd - offset))
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: count))
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe pread(file.number, bytes.baseAddress.map { unsafe $0 + start }, count, off_t(offset))
        }
        buffer.removeLast(count - max(0, result))
        return max(0, result)
    }

    /// Lets the oldest part go, and keeps at least the limit; where the file system cannot do that the log stops.
    private mutating func release() {
        let surplus = end - first - limitBytes
        let step = max(Self.pageBytes, limitBytes / 64)
        guard surplus >= step else { return }
        var target = first + surplus
        target -= target % Self.pageBytes
        guard target > first else { return }
        guard FileSpace.release(file.number, first..<target) == 0 else {
            stoppedAt = end
            return
        }
        first = target
        events.release(before: first)
    }

    mutating func synchronize() {
        // What cannot reach the disk is as lost as what did not fit on it.
        _ = fsync(file.number)
        events.synchronize()
    }
}
