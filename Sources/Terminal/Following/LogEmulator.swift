import Core

/// An emulator that follows the output of a session, with the sizes that its terminal had.
///
/// Over output that is not kept any more it jumps: what was on the screen and in force then stays.
package struct LogEmulator: Sendable {
    package internal(set) var emulator: Emulator
    /// Up to where the output was followed.
    package private(set) var position: UInt64 = 0

    private var timeline = SessionTimeline()
    /// Where the output ended at the event that was read last.
    private var timelineEnd: UInt64 = 0
    /// The next size of the terminal, and from where on it has it.
    private var resize: (offset: UInt64, size: TerminalSize)?
    private var knowsSize = false
    /// How much behind a gap may still be the rest of a sequence.
    private var doubtfulBytes = 0

    /// Whether answers to queries are kept until they are taken.
    private let keepsAnswers: Bool

    private static let chunkBytes = 64 << 10
    private static let maximumDoubtfulBytes = 4 << 10

    /// Begins before the first byte; `size` is what the terminal counts as where the timeline does not tell.
    package init(size: TerminalSize, scrollbackBytes: Int, keepsAnswers: Bool = false) {
        self.keepsAnswers = keepsAnswers
        emulator = Emulator(size: size, scrollbackBytes: scrollbackBytes)
    }

    /// Goes on up to `end`, or as far as there is output; all calls are about the same log.
    package mutating func follow(_ log: any SessionLog, to end: UInt64) throws(VTError) {
        while true {
            try resize(log, upTo: end)
            guard position < end else { return }
            let count = min((resize?.offset ?? end) - position, end - position, UInt64(Self.chunkBytes))
            let bytes = try log.read(from: position, limit: Int(count))
            // Only now, since bytes that are released while they are read come as zeros.
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

    /// Gives the terminal the sizes that it has from here on.
    private mutating func resize(_ log: any SessionLog, upTo end: UInt64) throws(VTError) {
        while true {
            while resize == nil, timelineEnd <= end, let event = try timeline.next(in: log) {
                switch event.kind {
                case .output(let end): timelineEnd = end
                case .resize(let size):
                    // Before the first that is known the terminal had the same, as far as anybody can say.
                    resize = (knowsSize ? timelineEnd : 0, size)
                    knowsSize = true
                case .input, .typed, .marker, .exit: continue
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

    /// Behind a gap, what stands before the first control character may be the rest of a sequence, and is left out.
    private mutating func feed(_ bytes: [UInt8]) {
        position += UInt64(bytes.count)
        if doubtfulBytes > 0 {
            let doubtful = bytes.prefix(doubtfulBytes).prefix { $0 >= 0x20 }.count
            doubtfulBytes = doubtful == bytes.count ? doubtfulBytes - doubtful : 0
            emulator.feed(Array(bytes[doubtful...]))
        } else {
            emulator.feed(bytes)
        }
        // Nobody takes these, and they are not to pile up.
        if !keepsAnswers { _ = emulator.takeAnswers() }
        _ = emulator.takeClipboard()
    }
}
