import Core
import Glibc
import POSIX

/// The timeline of a session: one JSON array on each line, `[SECONDS,KIND,VALUE]`, seconds since 1970.
///
/// The clock is set once, at the start, and goes evenly from there, so that the lines are in order. Output of the same
/// millisecond shares a line, which is written when the millisecond is over.
struct EventLog: ~Copyable {
    private let file: FileDescriptor
    /// Between the time since boot and the time since 1970.
    private let shift: Int64
    private var position: UInt64 = 0
    private var releasedTo: UInt64 = 0
    /// Up to where the file has its blocks: the last line, with the exit, always finds room.
    private var reservedTo: UInt64 = 0
    private var isStopped = false
    /// An output event that later output may still join.
    private var pending: (time: Int64, end: UInt64)?
    /// Where in the file the events of later output begin, one for each `markBytes`.
    private var marks: [(position: UInt64, end: UInt64)] = []
    private let limitBytes: UInt64
    /// The size of the terminal.
    private var size: TerminalSize

    private static let markBytes: UInt64 = 64 << 10
    private static let reservedBytes: UInt64 = 16 << 10
    /// No exit takes a longer line.
    private static let lastLineBytes: UInt64 = 256
    /// Lines stay short, whatever has to be escaped.
    private static let typedBytes = 512

    /// Makes the file, and notes the size that the terminal begins with.
    ///
    /// The timeline is kept up to the size of the output, or 1 MiB if that is more.
    init(path: String, outputLimitBytes: UInt64, size: TerminalSize) throws(VTError) {
        file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND, fallback: .cannotCreate)
        shift = HolderClock.wall() - HolderClock.now()
        limitBytes = max(outputLimitBytes, 1 << 20)
        self.size = size
        resize(to: size)
    }

    /// Whether `flush` has something to do in a millisecond.
    var isPending: Bool { pending != nil }

    mutating func output(end: UInt64) {
        let now = HolderClock.now()
        if let pending, pending.time / 1000 != now / 1000 { flush() }
        pending = (pending?.time ?? now, end)
    }

    mutating func resize(to size: TerminalSize) {
        self.size = size
        flush()
        writeSize(at: HolderClock.now())
    }

    /// Notes that the terminal was given so many bytes; what they were is nobody's business.
    mutating func input(count: Int) {
        add("i") { $0.integer(count) }
    }

    /// Notes what the terminal was given, of a session that was made so; what is not UTF-8 becomes U+FFFD.
    mutating func input(typed bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            var piece = rest.prefix(Self.typedBytes)
            // A character is not cut in two; where none ends, there is none.
            let tail = rest.dropFirst(piece.count).first.map { $0 & 0xC0 == 0x80 } ?? false
            if tail, let start = piece.suffix(4).lastIndex(where: { $0 & 0xC0 == 0xC0 }), start > piece.startIndex {
                piece = piece[..<start]
            }
            let text = String(decoding: piece, as: UTF8.self)
            add("i") { $0.string(text) }
            rest = rest.dropFirst(piece.count)
        }
    }

    mutating func exit(_ status: ExitStatus) {
        flush()
        write("x", at: HolderClock.now(), isLast: true) { value in
            value.object { object in
                switch status {
                case .exited(let code): object.member("code", code)
                case .signalled(let signal, let coreDumped):
                    object.member("signal", signal.text)
                    object.member("core", coreDumped)
                }
            }
        }
    }

    /// Writes the output event that is held back, once its millisecond is over.
    mutating func flushIfOver() {
        guard let pending, pending.time / 1000 != HolderClock.now() / 1000 else { return }
        flush()
    }

    /// Writes the output event that is held back.
    mutating func flush() {
        guard let event = pending else { return }
        pending = nil
        write("o", at: event.time) { $0.integer(event.end) }
        if position / Self.markBytes != marks.last.map({ $0.position / Self.markBytes }) ?? 0 {
            marks.append((position, event.end))
            // Whatever is released, what is kept tells the size.
            writeSize(at: event.time)
        }
    }

    /// Lets go of the events about output before `first`, and of the oldest where there are too many.
    mutating func release(before first: UInt64) {
        var target = releasedTo
        while let mark = marks.first, mark.end <= first || position - target > limitBytes {
            target = mark.position
            marks.removeFirst()
        }
        target -= target % 4096
        guard target > releasedTo, FileSpace.release(file.number, releasedTo..<target) == 0 else { return }
        releasedTo = target
    }

    mutating func synchronize() {
        flush()
        // What cannot reach the disk is as lost as what did not fit on it.
        _ = fsync(file.number)
    }

    private mutating func add(_ kind: String, _ value: (inout JSONWriter) -> Void) {
        flush()
        write(kind, at: HolderClock.now(), value)
    }

    private mutating func writeSize(at time: Int64) {
        let text = "\(size.columns)x\(size.rows)"
        write("r", at: time) { $0.string(text) }
    }

    private mutating func write(
        _ kind: String,
        at time: Int64,
        isLast: Bool = false,
        _ value: (inout JSONWriter) -> Void
    ) {
        guard !isStopped || isLast else { return }
        var writer = JSONWriter()
        writer.array { line in
            line.seconds(microseconds: time + shift)
            line.string(kind)
            value(&line)
        }
        let line = writer.bytes + [UInt8(ascii: "\n")]
        let end = position + UInt64(line.count)
        // A full disk ends the timeline, as it does the output, but for its last line.
        guard isLast || reserve(end + Self.lastLineBytes), BlockingIO.write(file.number, line) == 0 else {
            isStopped = true
            // A part of a line would spoil the one behind it.
            _ = ftruncate(file.number, off_t(position))
            return
        }
        position = end
        // What was taken and is not needed goes back.
        if isLast { _ = ftruncate(file.number, off_t(position)) }
    }

    /// Takes blocks up to a position; returns false when there is no room.
    private mutating func reserve(_ end: UInt64) -> Bool {
        guard end > reservedTo else { return true }
        let target = end + Self.reservedBytes - end % Self.reservedBytes
        let failure = FileSpace.reserve(file.number, reservedTo..<target)
        // Where the file system cannot do it, writing tells whether there is room.
        guard failure == 0 || failure == EOPNOTSUPP || failure == ENOSYS else { return false }
        reservedTo = target
        return true
    }
}
