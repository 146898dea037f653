import Core
import Terminal

/// Tracks the prompt marks of a shell (OSC 133): with `A`, a prompt starts; with `B`, it is complete; with `C`, a
/// command starts; with `D;STATUS`, it has ended.
///
/// The marks are found by scanning escape sequences, which is many times faster than emulating a terminal.
struct PromptScanner: Sendable {
    struct Prompt: Hashable, Sendable {
        /// The offset after the prompt's mark.
        var offset: UInt64
        /// The exit status of the preceding command; nil if the shell did not report it.
        var commandStatus: Int?

        init(offset: UInt64, commandStatus: Int? = nil) {
            self.offset = offset
            self.commandStatus = commandStatus
        }
    }

    private var scanner: EscapeScanner
    private var commandStatus: Int?
    /// A prompt that has started, with no further marks yet.
    private(set) var begun: Prompt?
    /// The first complete prompt; a prompt that only started counts as complete once its command starts.
    private(set) var first: Prompt?
    /// The complete prompt that the shell is waiting at.
    private(set) var current: Prompt?
    /// Whether no marks have been found.
    private(set) var isSilent = true

    init(from offset: UInt64) {
        scanner = EscapeScanner(position: offset)
    }

    mutating func scan(_ bytes: [UInt8], at offset: UInt64) {
        if offset != scanner.position { scanner = EscapeScanner(position: offset) }
        var marks: [(letter: UInt8, status: Int?, end: UInt64)] = []
        scanner.scan(bytes) { sequence in
            guard let mark = Self.mark(sequence) else { return }
            marks.append((mark.letter, mark.status, sequence.end))
        }
        for mark in marks { apply(mark.letter, mark.status, mark.end) }
    }

    private static let start = Array("133;".utf8)

    private static func mark(_ sequence: EscapeSequence) -> (letter: UInt8, status: Int?)? {
        guard sequence.kind == .command, sequence.body.starts(with: start) else { return nil }
        let fields = sequence.body.dropFirst(start.count)
            .split(separator: UInt8(ascii: ";"), maxSplits: 2, omittingEmptySubsequences: false)
        guard let name = fields.first, let letter = name.first, name.count == 1 else { return nil }
        return (letter, fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) : nil)
    }

    private mutating func apply(_ letter: UInt8, _ status: Int?, _ end: UInt64) {
        switch letter {
        case UInt8(ascii: "A"):
            begun = begun ?? Prompt(offset: end, commandStatus: commandStatus)
            current = nil
        case UInt8(ascii: "B"):
            current = Prompt(offset: end, commandStatus: commandStatus)
            first = first ?? current
            begun = nil
        case UInt8(ascii: "C"), UInt8(ascii: "D"):
            first = first ?? begun
            (begun, current) = (nil, nil)
            if letter == UInt8(ascii: "D") { commandStatus = status }
        default: return
        }
        isSilent = false
    }

    // MARK: - Current prompt

    /// Reads as much of the end of a log as needed to determine the current prompt.
    static func atEnd(of log: any SessionLog, end: UInt64) throws(VTError) -> PromptScanner {
        // Output may have been discarded in the meantime.
        let first = min(try log.firstOffset(), end)
        var count: UInt64 = 256 << 10
        while true {
            let start = end - first > count ? end - count : first
            var marks = PromptScanner(from: start)
            try marks.scan(log, from: start, to: end)
            // Read further back until finding the mark before the prompt, which carries the status of the last command.
            let isKnown = (marks.begun ?? marks.current).map { $0.commandStatus != nil } ?? !marks.isSilent
            if isKnown || start <= first { return marks }
            count *= 4
        }
    }

    private mutating func scan(_ log: any SessionLog, from start: UInt64, to end: UInt64) throws(VTError) {
        var position = start
        while position < end {
            let bytes = try log.read(from: position, limit: Int(min(end - position, 256 << 10)))
            guard !bytes.isEmpty else { return }
            scan(bytes, at: position)
            position += UInt64(bytes.count)
        }
    }
}
