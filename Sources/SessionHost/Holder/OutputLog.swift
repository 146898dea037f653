import Core
import Glibc
import System

/// A session's output, as kept on disk.
///
/// Clients that fall behind read from the log, so their output does not have to be queued in memory.
struct OutputLog: ~Copyable {
    let file: FileDescriptor
    var events: EventLog
    /// The end of the program's output, whether kept or not.
    private(set) var end: UInt64 = 0
    /// The offset of the first byte that is kept.
    private(set) var first: UInt64 = 0
    /// The offset at which the log stopped; nothing after it is kept.
    private(set) var stoppedAt: UInt64?
    let limitBytes: UInt64

    /// The minimum amount released at once; a multiple of the block size of all common file systems.
    private static let pageBytes: UInt64 = 64 << 10

    /// Creates the log of a new session or, unless `isNew`, opens that of a session whose holder is gone, to continue it.
    init(_ files: SessionFiles, of record: Session, isNew: Bool) throws(VTError) {
        let flags = O_RDWR | O_APPEND | (isNew ? O_CREAT | O_EXCL : 0)
        let file = try FileDescriptor.open(files.output, flags, fallback: isNew ? .cannotCreate : .io)
        if isNew { Fault.point(.holdOutput) }
        events = try EventLog(files, of: record, isNew: isNew)
        end = FileSpace.length(file.number)
        first = record.firstOffset
        if let stopped = record.logStoppedAt { (end, stoppedAt) = (max(record.outputBytes, stopped), stopped) }
        if end > record.logLimitBytes, let data = FileSpace.firstData(file.number) { first = max(first, data) }
        limitBytes = record.logLimitBytes
        self.file = consume file
    }

    /// The end of the kept bytes.
    var keptEnd: UInt64 { stoppedAt ?? end }

    /// Appends output; a full disk stops the log permanently, because offsets must remain valid.
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

    /// Appends at most `limit` kept bytes to `buffer`; returns their number, 0 if they cannot be read.
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

    /// Releases the oldest output but keeps at least `limitBytes`; if the file system does not support this, the log
    /// stops.
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
        // A failure is ignored: output that cannot be synced is lost, as on a full disk.
        _ = fsync(file.number)
        events.synchronize()
    }
}
