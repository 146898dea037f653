import Core
import Glibc
import System

/// The timeline of a session: one JSON array `[SECONDS,KIND,VALUE]` per line, with the time in seconds since 1970.
///
/// The wall clock is read once, at the start, and advanced with the monotonic clock, so that the lines are ordered.
/// Output in the same millisecond shares one line, which is written when the millisecond is over.
struct EventLog: ~Copyable {
    private let file: FileDescriptor
    /// The difference between the time since 1970 and the time since boot, in microseconds.
    private let shift: Int64
    private var position: UInt64 = 0
    private var releasedTo: UInt64 = 0
    /// The end of the preallocated blocks, which always leave room for the last line, the exit event.
    private var reservedTo: UInt64 = 0
    private var isStopped = false
    /// The output event that has not been written yet, because later output can be merged into it.
    private var pending: (time: Int64, end: UInt64)?
    /// The marks of turns in released events.
    private var releasedTurns: ReleasedTurns
    /// File positions, about one every `markBytes` bytes, with the end of the output recorded before each.
    private var marks: [(position: UInt64, end: UInt64)] = []
    private let limitBytes: UInt64
    /// The current terminal size.
    private var size: TerminalSize

    private static let markBytes: UInt64 = 64 << 10
    private static let reservedBytes: UInt64 = 16 << 10
    /// The maximum length of an exit event.
    private static let lastLineBytes: UInt64 = 256
    /// The maximum number of input bytes in one event; limits the length of a line even if all of them are escaped.
    private static let typedBytes = 512

    /// Creates the file or, unless `isNew`, opens that of a session whose holder is gone, to continue it; records the
    /// terminal size.
    ///
    /// The timeline has the same size limit as the output, but at least 1 MiB.
    init(_ files: SessionFiles, of record: Session, isNew: Bool) throws(VTError) {
        let path = files.events
        let flags = O_RDWR | O_APPEND | (isNew ? O_CREAT | O_EXCL : 0)
        let file = try FileDescriptor.open(path, flags, fallback: isNew ? .cannotCreate : .io)
        var earliest: Int64 = 0
        if !isNew {
            var status = stat()
            guard unsafe fstat(file.number, &status) == 0 else { throw .system(errno, "cannot read '\(path)'") }
            // Ends a line that was not written completely; it is then skipped.
            let failure = BlockingIO.write(file.number, [UInt8(ascii: "\n")])
            guard failure == 0 else { throw .system(failure, "cannot write '\(path)'") }
            // The lines remain ordered even if the clock has been set back.
            earliest = (Int64(status.st_mtim.tv_sec) + 1) * 1_000_000
        }
        position = FileSpace.length(file.number)
        releasedTurns = ReleasedTurns(path: files.turns, from: FileSpace.firstData(file.number) ?? 0)
        self.file = consume file
        shift = max(HolderClock.wall(), earliest) - HolderClock.now()
        limitBytes = max(record.logLimitBytes, 1 << 20)
        size = record.size
        resize(to: size)
    }

    /// When the last event was recorded.
    var lastChange: Timestamp? {
        var status = stat()
        return unsafe fstat(file.number, &status) == 0 ? Timestamp(seconds: Int64(status.st_mtim.tv_sec)) : nil
    }

    /// When the pending output event must be written, because its millisecond is over.
    var deadline: Int64 { pending.map { ($0.time / 1000 + 1) * 1000 } ?? .max }

    mutating func output(end: UInt64) {
        let now = HolderClock.now()
        if now >= deadline { flush() }
        pending = (pending?.time ?? now, end)
    }

    mutating func resize(to size: TerminalSize) {
        self.size = size
        flush()
        writeSize(at: HolderClock.now())
    }

    /// Records the number of input bytes, but not the bytes, which are private.
    mutating func input(count: Int) {
        add("i") { $0.integer(count) }
    }

    /// Records input, for sessions created with `--log-input`; invalid UTF-8 becomes U+FFFD.
    mutating func input(typed bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            var piece = rest.prefix(Self.typedBytes)
            // Do not split a character, unless the bytes are not valid UTF-8.
            let tail = rest.dropFirst(piece.count).first.map { $0 & 0xC0 == 0x80 } ?? false
            if tail, let start = piece.suffix(4).lastIndex(where: { $0 & 0xC0 == 0xC0 }), start > piece.startIndex {
                piece = piece[..<start]
            }
            let text = String(decoding: piece, as: UTF8.self)
            add("i") { $0.string(text) }
            rest = rest.dropFirst(piece.count)
        }
    }

    mutating func marker(_ label: MarkerLabel) {
        add("m") { $0.string(label.text) }
    }

    mutating func shell(_ mark: ShellMark) {
        add("s") { value in
            value.object { object in
                object.member("mark", String(UnicodeScalar(mark.letter)))
                object.member("offset", mark.offset)
                if mark.request != 0 { object.member("request", mark.request) }
                object.member("status", mark.status)
                object.member("turn", mark.turn)
                object.member("command", mark.command.map { Self.prefix(of: $0, Self.commandScalars) })
                object.member("cwd", mark.directory.map { Self.prefix(of: $0, Self.pathScalars) })
            }
        }
    }

    /// The maximum length of a command line in the timeline; such a line has at most 6 KiB, even if all is escaped.
    private static let commandScalars = 1024
    /// PATH_MAX; see limits.h(0p).
    private static let pathScalars = 4096

    private static func prefix(of text: String, _ count: Int) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
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
                case .unknown: break
                }
            }
        }
    }

    mutating func flushIfDue() {
        if HolderClock.now() >= deadline { flush() }
    }

    /// Writes the pending output event.
    mutating func flush() {
        guard let event = pending else { return }
        pending = nil
        write("o", at: event.time) { $0.integer(event.end) }
        if position / Self.markBytes != marks.last.map({ $0.position / Self.markBytes }) ?? 0 {
            marks.append((position, event.end))
            // Repeat the size, so that it remains known after earlier lines are released.
            writeSize(at: event.time)
        }
    }

    /// Releases the events of output before `first`, and the oldest events if the timeline exceeds its limit.
    mutating func release(before first: UInt64) {
        var target = releasedTo
        while let mark = marks.first, mark.end <= first || position - target > limitBytes {
            target = mark.position
            marks.removeFirst()
        }
        target -= target % 4096
        guard target > releasedTo else { return }
        releasedTurns.keep(upTo: target, of: file.number)
        guard FileSpace.release(file.number, releasedTo..<target) == 0 else { return }
        releasedTo = target
    }

    mutating func synchronize() {
        flush()
        // A failure is ignored: events that cannot be synced are lost, as on a full disk.
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
        // On a full disk, the timeline stops, as the output does, but the last line is still written.
        guard isLast || reserve(end + Self.lastLineBytes), BlockingIO.write(file.number, line) == 0 else {
            isStopped = true
            // An incomplete line would corrupt the one after it.
            _ = ftruncate(file.number, off_t(position))
            return
        }
        position = end
        // Release unused preallocated space.
        if isLast { _ = ftruncate(file.number, off_t(position)) }
    }

    /// Reserves blocks up to a position; returns false if there is no space.
    private mutating func reserve(_ end: UInt64) -> Bool {
        guard end > reservedTo else { return true }
        let target = end + Self.reservedBytes - end % Self.reservedBytes
        let failure = FileSpace.reserve(file.number, reservedTo..<target)
        // If the file system does not support preallocation, the write itself will detect a full disk.
        guard failure == 0 || failure == EOPNOTSUPP || failure == ENOSYS else { return false }
        reservedTo = target
        return true
    }
}
