import Core

/// Reads the output of util-linux script(1): a typescript and its timing file.
///
/// Lines of the timing file have either the classic format, `DELAY BYTES`, or the advanced format (`--logging-format
/// advanced`), with a letter at the start: `O` for output, `I` for input, `S` for a signal, or `H` for metadata. Both
/// files are read in pieces of any size; output and input bytes are converted to UTF-8 (`OutputDecoder`).
package struct TypescriptReader: ~Copyable {
    /// The file from which more bytes are needed.
    package enum Need: Sendable {
        case timing
        case typescript
    }

    /// The notes about what was skipped or changed; line numbers refer to the timing file.
    package private(set) var notes = RecordingNotes()
    /// The file whose next bytes must be appended after `next` has returned nil; nil at the end.
    package private(set) var need: Need? = .typescript

    private let policy: RecordingPolicy
    private var timing = LineBuffer()
    private var typescript = LineBuffer()
    private var isTimingFinished = false
    private var isTypescriptFinished = false
    private var stage = Stage.firstLine
    private var lineNumber = 0
    private var time = RecordingTime.start
    private var facts = TypescriptFacts()
    private var output = OutputDecoder()
    private var input = OutputDecoder()
    /// An entry whose bytes have not all been read.
    private var open: (isInput: Bool, count: Int)?
    /// The first entry of the timing file that is not metadata.
    private var entry: TypescriptEntry?

    private enum Stage {
        case firstLine, facts, entries, ended
    }

    /// The maximum number of typescript bytes in an event.
    private static let eventLimit = 64 << 10
    private static let lineLimit = 64 << 10

    package init(_ policy: RecordingPolicy = .strict) {
        self.policy = policy
    }

    package mutating func append(timing bytes: [UInt8]) {
        timing.append(bytes)
    }

    package mutating func append(typescript bytes: [UInt8]) {
        typescript.append(bytes)
    }

    package mutating func finishTiming() {
        isTimingFinished = true
    }

    package mutating func finishTypescript() {
        isTypescriptFinished = true
    }

    /// Returns the next item; nil if more bytes are needed (`need`), and at the end.
    ///
    /// - Throws: `data.invalid`, with the line number in the timing file.
    package mutating func next() throws(VTError) -> RecordingItem? {
        switch stage {
        case .firstLine:
            guard try readFirstLine() else { return nil }
            stage = .facts
            return try next()
        case .facts:
            guard try readFacts() else { return nil }
            stage = .entries
            return .header(facts.header)
        case .entries:
            return try event().map { .event($0) }
        case .ended:
            return nil
        }
    }

    // MARK: - The header

    /// Reads the first line of the typescript, which script(1) writes even without a timing file.
    private mutating func readFirstLine() throws(VTError) -> Bool {
        guard let line = typescript.line() else {
            guard isTypescriptFinished || typescript.count > Self.lineLimit else {
                need = .typescript
                return false
            }
            throw VTError(.dataInvalid, "the typescript lacks the first line that script(1) writes")
        }
        let text = String(decoding: typescript.bytes[line], as: UTF8.self)
        guard text.hasPrefix("Script started on ") else {
            throw VTError(.dataInvalid, "the typescript lacks the first line that script(1) writes")
        }
        facts.parse(firstLine: text)
        typescript.consume(to: line.upperBound + 1)
        return true
    }

    private mutating func readFacts() throws(VTError) -> Bool {
        while true {
            switch try nextEntry() {
            case .waiting: return false
            case .end: return true
            case .entry(.fact(let name, let value)): facts.set(name, value)
            case .entry(let entry):
                self.entry = entry
                return true
            }
        }
    }

    // MARK: - Entries

    private enum Line {
        case waiting, end
        case entry(TypescriptEntry)
    }

    private mutating func nextEntry() throws(VTError) -> Line {
        if let entry {
            self.entry = nil
            return .entry(entry)
        }
        while true {
            var line = timing.line()
            if line == nil, isTimingFinished, timing.count > 0 { line = timing.start..<timing.bytes.count }
            guard let line, line.count <= Self.lineLimit else {
                guard timing.count <= Self.lineLimit else { throw invalid("the line is too long") }
                if isTimingFinished { return .end }
                need = .timing
                return .waiting
            }
            lineNumber += 1
            let bytes = Array(timing.bytes[line])
            timing.consume(to: line.upperBound + 1)
            if bytes.allSatisfy(EventScanner.isBlank) { continue }
            if let (delay, entry) = TypescriptEntry.parse(bytes) {
                time = time + delay
                guard time < .latest else { throw invalid("the time is out of range") }
                return .entry(entry)
            }
            guard policy == .lenient else { throw invalid("not a valid entry") }
            notes.add(lineNumber, "not a valid entry")
        }
    }

    private mutating func invalid(_ message: String) -> VTError {
        stage = .ended
        need = nil
        return VTError(.dataInvalid, "line \(lineNumber) of the timing file: \(message)")
    }

    private mutating func event() throws(VTError) -> RecordingEvent? {
        while true {
            if let open {
                guard let event = try piece(open) else {
                    if self.open == nil { continue }
                    return nil
                }
                if event.data.isEmpty { continue }
                return event
            }
            switch try nextEntry() {
            case .waiting: return nil
            case .end: return finish()
            case .entry(.output(let count)): open = (false, count)
            case .entry(.input(let count)):
                // If the input was logged to its own file, it is not in the typescript.
                if facts.hasInput { open = (true, count) }
            case .entry(.resize(let size)): return RecordingEvent(time: time, .resize(size))
            case .entry(.fact(let name, let value)): facts.set(name, value)
            case .entry(.signal): break
            }
        }
    }

    /// Returns the available bytes of an entry; nil if there are none.
    private mutating func piece(_ entry: (isInput: Bool, count: Int)) throws(VTError) -> RecordingEvent? {
        guard entry.count > 0 else {
            open = nil
            return nil
        }
        guard typescript.count > 0 else {
            guard isTypescriptFinished else {
                need = .typescript
                return nil
            }
            open = nil
            guard policy == .lenient else { throw invalid("the typescript ends before this entry") }
            notes.add(lineNumber, "the typescript ends before this entry")
            return nil
        }
        let count = min(entry.count, typescript.count, Self.eventLimit)
        let bytes = Array(typescript.bytes[typescript.start..<typescript.start + count])
        typescript.consume(to: typescript.start + count)
        open = count == entry.count ? nil : (entry.isInput, entry.count - count)
        let content: RecordingEvent.Content =
            entry.isInput ? .input(input.decode(bytes)) : .output(output.decode(bytes))
        return RecordingEvent(time: time, content)
    }

    /// Returns the events after the last entry, one per call; nil if there are none.
    ///
    /// They are U+FFFD for an incomplete last character, and the exit status from the last line of the typescript.
    private mutating func finish() -> RecordingEvent? {
        let rest = output.finish()
        if !rest.isEmpty { return RecordingEvent(time: time, .output(rest)) }
        guard isTypescriptFinished || typescript.count > Self.lineLimit else {
            need = .typescript
            return nil
        }
        stage = .ended
        need = nil
        facts.parse(lastLines: typescript.bytes[typescript.start...].prefix(Self.lineLimit))
        return facts.exitStatus.map { RecordingEvent(time: time, .exit($0)) }
    }
}
