import Core

/// Follows the marks with which a shell tells where its prompts are (OSC 133): `A` a prompt begins, `B` it is complete,
/// `C` a command runs, `D;STATUS` it ended.
///
/// The marks come from a scan of the escape sequences, which needs no terminal and is many times as fast.
struct PromptMarks: Sendable {
    struct Prompt: Hashable, Sendable {
        /// The byte after its mark.
        var offset: UInt64
        /// The status that the command before it ended with.
        var commandStatus: Int?
    }

    private var scanner: EscapeScanner
    private var commandStatus: Int?
    /// A prompt that began and of which nothing more was told.
    private(set) var begun: Prompt?
    /// The first prompt that was complete; one that only began is, once its command runs.
    private(set) var first: Prompt?
    /// The complete prompt at which the shell stands.
    private(set) var current: Prompt?
    /// Whether the shell stands nowhere that is known.
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
        for mark in marks { take(mark.letter, mark.status, mark.end) }
    }

    private static let start = Array("133;".utf8)

    private static func mark(_ sequence: EscapeSequence) -> (letter: UInt8, status: Int?)? {
        guard sequence.kind == .command, sequence.body.starts(with: start) else { return nil }
        let fields = sequence.body.dropFirst(start.count)
            .split(separator: UInt8(ascii: ";"), maxSplits: 2, omittingEmptySubsequences: false)
        guard let name = fields.first, let letter = name.first, name.count == 1 else { return nil }
        return (letter, fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) : nil)
    }

    private mutating func take(_ letter: UInt8, _ status: Int?, _ end: UInt64) {
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

    /// Lets only prompts count that come from now on, and the one that has begun.
    mutating func forgetFirst() {
        first = nil
    }

    // MARK: - Where a session stands

    /// Looks at as much of the end of a log as it takes to know where the shell stands.
    static func standing(in log: any SessionLog, end: UInt64) throws(VTError) -> PromptMarks {
        // By now more may have been written than is kept.
        let first = min(try log.firstOffset(), end)
        var count: UInt64 = 256 << 10
        while true {
            let start = end - first > count ? end - count : first
            var marks = PromptMarks(from: start)
            try marks.scan(log, from: start, to: end)
            // The end of the command stands before the prompt.
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
