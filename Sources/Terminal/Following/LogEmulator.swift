import Core

/// An emulator that follows the output of a session, including changes of its terminal size.
///
/// Output that is no longer kept is skipped; the screen and modes from before the gap remain.
package struct LogEmulator: Sendable {
    package internal(set) var emulator: Emulator
    /// The offset up to which the output has been processed.
    package private(set) var position: UInt64 = 0

    private var timeline = SessionTimeline()
    /// The end of the output as of the last event read.
    private var timelineEnd: UInt64 = 0
    /// The next terminal size, and the offset from which it applies.
    private var resize: (offset: UInt64, size: TerminalSize)?
    private var hasSize = false
    /// The number of bytes after a gap that may still be the rest of a sequence.
    private var doubtfulBytes = 0

    /// Whether replies to queries are kept until they are taken.
    private let keepsAnswers: Bool

    private static let chunkBytes = 64 << 10
    private static let maximumDoubtfulBytes = 4 << 10

    /// Starts before the first byte; `size` is the terminal's size until the timeline specifies one.
    package init(size: TerminalSize, scrollbackBytes: Int, keepsAnswers: Bool = false) {
        self.keepsAnswers = keepsAnswers
        emulator = Emulator(size: size, scrollbackBytes: scrollbackBytes)
    }

    /// Processes the output up to `end`, or as far as it is available; all calls must pass the same log.
    package mutating func follow(_ log: any SessionLog, to end: UInt64) throws(VTError) {
        while true {
            try resize(log, upTo: end)
            guard position < end else { return }
            let count = min((resize?.offset ?? end) - position, end - position, UInt64(Self.chunkBytes))
            let bytes = try log.read(from: position, limit: Int(count))
            // Check after reading, because bytes released during the read appear as zeros.
            let first = try log.firstOffset()
            if first > position {
                jump(to: first)
            } else if bytes.isEmpty {
                return
            } else {
                feed(bytes)
            }
        }
    }

    /// Applies the changes of the terminal size that are due at the current position.
    private mutating func resize(_ log: any SessionLog, upTo end: UInt64) throws(VTError) {
        while true {
            while resize == nil, timelineEnd <= end, let event = try timeline.next(in: log) {
                switch event.kind {
                case .output(let end): timelineEnd = end
                case .resize(let size):
                    // Assume that the terminal had the first known size from the start.
                    resize = (hasSize ? timelineEnd : 0, size)
                    hasSize = true
                case .input, .typed, .marker, .shell, .exit: continue
                }
            }
            guard let due = resize, due.offset <= position else { return }
            emulator.resize(to: due.size)
            resize = nil
        }
    }

    private mutating func jump(to offset: UInt64) {
        emulator.forgetUnfinished()
        position = offset
        doubtfulBytes = Self.maximumDoubtfulBytes
    }

    /// Processes bytes of the output.
    ///
    /// After a gap, the bytes before the first control character are skipped, because they may be the rest of a
    /// sequence.
    private mutating func feed(_ bytes: [UInt8]) {
        position += UInt64(bytes.count)
        if doubtfulBytes > 0 {
            let doubtful = bytes.prefix(doubtfulBytes).prefix { $0 >= 0x20 }.count
            doubtfulBytes = doubtful == bytes.count ? doubtfulBytes - doubtful : 0
            emulator.feed(Array(bytes[doubtful...]))
        } else {
            emulator.feed(bytes)
        }
        // Discard replies that are not needed, so that they do not accumulate.
        if !keepsAnswers { _ = emulator.takeAnswers() }
        _ = emulator.takeClipboard()
    }
}
