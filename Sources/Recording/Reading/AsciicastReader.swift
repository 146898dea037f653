import Core

/// Parses an asciicast, received in pieces of any size, into a header and events.
///
/// Versions 1, 2 and 3 are recognized by the header, gzip by its first bytes. Memory is limited to the bytes appended
/// but not yet read, one line, and one step of decompression; a version 1 file is read whole, up to
/// `DocumentReading.limit`. No items are returned after an error.
package struct AsciicastReader: ~Copyable {
    /// The maximum length in bytes of a line in v2 and v3, and of an event in v1.
    ///
    /// Recorders write one event per read from the terminal, so their lines are much shorter.
    package static let lineLimit = 16 << 20
    /// The maximum length of a header in bytes.
    package static let headerLimit = 1 << 20

    private static let replacedText = "replaced invalid UTF-8 with U+FFFD"

    /// The notes about what was skipped or changed.
    package private(set) var notes = RecordingNotes()
    private let policy: RecordingPolicy
    private var input = RecordingInput()
    private var lines = LineBuffer()
    private var stage = Stage.header
    /// The number of the next line.
    private var lineNumber = 1
    private var time = RecordingTime.start
    private var isInLongLine = false
    /// Whether the recording ends within its last event, which was skipped; known after the last item.
    package private(set) var endsWithinLine = false
    private var hasLookedForMark = false
    private var comments = 0
    private var joiner = SurrogateJoiner()

    private enum Stage {
        case header
        case document
        case items(IndexingIterator<[RecordingItem]>)
        case events(isRelative: Bool)
        case ended
    }

    package init(_ policy: RecordingPolicy = .strict) {
        self.policy = policy
    }

    /// Whether the data is compressed; known once the first item has been returned.
    package var isCompressed: Bool { input.isCompressed }

    /// Appends the next bytes of the file.
    package mutating func append(_ bytes: [UInt8]) {
        input.append(bytes)
    }

    /// Marks the end of the file.
    package mutating func finish() {
        input.finish()
    }

    /// Returns the next item; nil if more bytes are needed, and at the end.
    ///
    /// - Throws: `data.invalid`, with the line number; `system` when memory for decompression is exhausted.
    package mutating func next() throws(VTError) -> RecordingItem? {
        do throws(VTError) {
            while true {
                if let item = try step() { return item }
                if case .ended = stage { return nil }
                if isAtEnd { return try end() }
                if try !moveInput(), !isAtEnd { return nil }
            }
        } catch {
            stage = .ended
            throw error
        }
    }

    /// Whether all remaining bytes are in `lines`.
    private var isAtEnd: Bool { input.isFinished && input.isEmpty }

    private mutating func moveInput() throws(VTError) -> Bool {
        do throws(VTError) {
            return try input.move(into: &lines)
        } catch {
            // Without a header, nothing else can be read.
            if case .header = stage { throw error }
            guard policy == .lenient || input.isTorn, error.code == .dataInvalid else { throw error }
            notes.add(nil, error.message)
            input.finish()
            return false
        }
    }

    /// Returns the next item from the available bytes.
    private mutating func step() throws(VTError) -> RecordingItem? {
        switch stage {
        case .header:
            if let header = try header() { return .header(header) }
            guard case .document = stage else { return nil }
            return try step()
        case .document:
            guard lines.count <= DocumentReading.limit else {
                throw .invalid(
                    1,
                    "a version 1 recording can have at most \(DocumentReading.limit >> 20) MiB",
                    hint: "to convert it to version 3, use 'asciinema convert'"
                )
            }
            guard isAtEnd else { return nil }
            let document = Array(lines.bytes[lines.start...])
            lines.consume(to: lines.bytes.count)
            stage = .items(try DocumentReading.items(document, policy, &notes).makeIterator())
            return try step()
        case .items(var items):
            let item = items.next()
            stage = item == nil ? .ended : .items(items)
            return item
        case .events(let isRelative):
            return try event(isRelative).map { .event($0) }
        case .ended:
            return nil
        }
    }

    // MARK: - The header

    /// Reads the first line; if it is not a v2 or v3 header, the file is either a v1 document or not a recording.
    private mutating func header() throws(VTError) -> RecordingHeader? {
        skipMark()
        var line = lines.line()
        if line == nil, isAtEnd, lines.count > 0 { line = lines.start..<lines.bytes.count }
        guard let line, line.count <= Self.headerLimit else {
            if isAtEnd, lines.count == 0 { throw .invalid(1, "the recording is empty") }
            guard line != nil || lines.count > Self.headerLimit else { return nil }
            try startDocument()
            return nil
        }
        let bytes = Array(lines.bytes[line])
        guard let members = try Self.members(bytes) else {
            try startDocument()
            return nil
        }
        switch try Self.version(members.first { $0.name == "version" }, line: 1) {
        case .v1:
            try startDocument()
            return nil
        case .v2: stage = .events(isRelative: false)
        case .v3: stage = .events(isRelative: true)
        }
        lines.consume(to: line.upperBound + 1)
        lineNumber = 2
        let version: RecordingHeader.Version = if case .events(true) = stage { .v3 } else { .v2 }
        return try HeaderReading.header(version, members, firstLine: 1, policy, &notes)
    }

    /// Skips a byte order mark, which some editors add.
    private mutating func skipMark() {
        guard !hasLookedForMark, lines.count >= 3 else { return }
        hasLookedForMark = true
        if lines.bytes[lines.start...].starts(with: [0xEF, 0xBB, 0xBF]) { lines.consume(to: lines.start + 3) }
    }

    /// Returns nil if the line does not look like a complete object; a v1 header can span several lines.
    private static func members(_ line: [UInt8]) throws(VTError) -> [HeaderMember]? {
        do throws(JSONSyntaxError) {
            return HeaderMember.all(of: try JSONOutlineParser.parse(line), in: line, firstLine: 1)
        } catch {
            guard line.first == UInt8(ascii: "{"), line.last(where: { !EventScanner.isBlank($0) }) == UInt8(ascii: "}")
            else { return nil }
            throw .invalid(1, error.message)
        }
    }

    static func version(_ member: HeaderMember?, line: Int) throws(VTError) -> RecordingHeader.Version {
        guard let member else { throw .invalid(line, "the header has no 'version'") }
        guard let number: Int = member.value.integer(in: member.document) else {
            throw .invalid(member.line, "'version' is not an integer")
        }
        guard let version = RecordingHeader.Version(rawValue: number) else {
            throw .invalid(member.line, "unsupported format version \(number)")
        }
        return version
    }

    private mutating func startDocument() throws(VTError) {
        let first = lines.bytes[lines.start...].first { !EventScanner.isBlank($0) }
        guard first == UInt8(ascii: "{") else {
            throw .invalid(1, "not a recording: expected a JSON header")
        }
        stage = .document
    }

    // MARK: - Events

    private mutating func event(_ isRelative: Bool) throws(VTError) -> RecordingEvent? {
        while let line = lines.line() {
            defer {
                lines.consume(to: line.upperBound + 1)
                lineNumber += 1
            }
            if isInLongLine {
                isInLongLine = false
                continue
            }
            guard line.count <= Self.lineLimit else {
                try passLongLine(line, isRelative)
                continue
            }
            if let event = try event(line, isRelative) { return event }
        }
        if lines.count > Self.lineLimit {
            let all = lines.start..<lines.bytes.count
            if !isInLongLine { try passLongLine(all, isRelative) }
            isInLongLine = true
            lines.consume(to: all.upperBound)
        }
        return nil
    }

    /// Reports a line that is too long, which a lenient reader skips.
    private mutating func passLongLine(_ line: Range<Int>, _ isRelative: Bool) throws(VTError) {
        let time = EventScanner.time(startOf: lines.bytes.span.extracting(line))
        try leaveOut("the line is longer than \(Self.lineLimit >> 20) MiB", time, isRelative)
    }

    private mutating func event(_ line: Range<Int>, _ isRelative: Bool) throws(VTError) -> RecordingEvent? {
        let first = lines.bytes[line].first { !EventScanner.isBlank($0) }
        guard let first else { return nil }
        guard !isComment(line, isRelative) else {
            comments += 1
            return nil
        }
        if first == UInt8(ascii: "["),
            let fields = EventScanner.fields(lines.bytes.span.extracting(line), hasCode: true)
        {
            return try event(fields, isRelative)
        }
        if !isRelative, let line = VibeTunnelLine(lines.bytes[line], at: time) { return try event(line) }
        var bytes = Array(lines.bytes[line])
        if policy == .lenient, String(validating: bytes, as: UTF8.self) == nil {
            bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
            if let fields = EventScanner.fields(bytes.span, hasCode: true) {
                notes.add(lineNumber, Self.replacedText)
                return try event(fields, isRelative)
            }
        }
        let fault = EventFault(bytes, hasCode: true)
        try leaveOut(fault.message, fault.time, isRelative)
        return nil
    }

    private mutating func event(_ line: VibeTunnelLine) throws(VTError) -> RecordingEvent? {
        switch line {
        case .event(var fields):
            let text = Array(String(decoding: fields.data, as: UTF8.self).utf8)
            if text != fields.data { notes.add(lineNumber, Self.replacedText) }
            fields.data = text
            return try event(fields, false)
        case .unknownExit:
            notes.add(lineNumber, "the exit status is unknown")
            return nil
        }
    }

    private mutating func event(_ fields: EventScanner.Fields, _ isRelative: Bool) throws(VTError) -> RecordingEvent? {
        try advance(fields.time, isRelative)
        let fields = joiner.join(fields)
        let event = RecordingEvent(time: time, code: fields.code, data: fields.data)
        guard event.isSound else {
            let text = String(decoding: fields.data.prefix(40), as: UTF8.self)
            if event.code == "r" {
                // A strict reader skips such a resize, too, as asciinema does.
                notes.add(lineNumber, "'\(text)' is not a terminal size")
            } else {
                try leaveOut("'\(text)' is not an exit status", nil, isRelative)
            }
            return nil
        }
        return event
    }

    /// Advances `time` to the time of a line, even if the line is skipped.
    private mutating func advance(_ given: RecordingTime, _ isRelative: Bool) throws(VTError) {
        if isRelative {
            time = time + given
        } else if given < time {
            notes.add(lineNumber, "the time is earlier than that of the preceding event")
        } else {
            time = given
        }
        guard time < .latest else { throw .invalid(lineNumber, "the time is out of range") }
    }

    private mutating func leaveOut(_ message: String, _ time: RecordingTime?, _ isRelative: Bool) throws(VTError) {
        guard policy == .lenient else { throw .invalid(lineNumber, message) }
        notes.add(lineNumber, message)
        if let time { try advance(time, isRelative) }
    }

    // MARK: - The end

    private mutating func end() throws(VTError) -> RecordingItem? {
        guard case .events(let isRelative) = stage else {
            throw .invalid(lineNumber, "the recording ends in the header")
        }
        let rest = lines.start..<lines.bytes.count
        lines.consume(to: rest.upperBound)
        if !rest.isEmpty, !isInLongLine, let event = try lastEvent(rest, isRelative) { return .event(event) }
        if let half = joiner.takeHalf() { return .event(RecordingEvent(time: time, code: half.code, data: half.data)) }
        finishEvents()
        return nil
    }

    /// Reads the bytes after the last line feed.
    ///
    /// If they are not an event, the recording was truncated, for example by a crash or a full disk. Everything before
    /// them is valid.
    private mutating func lastEvent(_ line: Range<Int>, _ isRelative: Bool) throws(VTError) -> RecordingEvent? {
        guard EventScanner.fields(lines.bytes.span.extracting(line), hasCode: true) == nil,
            isRelative || VibeTunnelLine(lines.bytes[line], at: time) == nil,
            lines.bytes[line].contains(where: { !EventScanner.isBlank($0) }), !isComment(line, isRelative)
        else { return try event(line, isRelative) }
        notes.add(lineNumber, "the recording ends in the middle of the line")
        endsWithinLine = true
        return nil
    }

    private mutating func finishEvents() {
        stage = .ended
        guard comments > 0 else { return }
        notes.add(nil, comments == 1 ? "skipped a comment" : "skipped \(comments) comments")
    }

    private func isComment(_ line: Range<Int>, _ isRelative: Bool) -> Bool {
        isRelative && lines.bytes[line.lowerBound] == UInt8(ascii: "#")
    }
}
