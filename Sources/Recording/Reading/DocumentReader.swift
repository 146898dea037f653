import Core

/// Reads a v1 recording, which is one JSON document, value by value.
///
/// Up to `holdLimit` bytes of events are held back until the header members that follow them have been read. In a
/// longer recording, the header ends where the events start, as in all files written by asciinema, and a member after
/// the events is an error. Memory is thus limited to these events, one more event (`lineLimit`) and the header
/// (`headerLimit`). See docs.asciinema.org/manual/asciicast/v1.
struct DocumentReader {
    static let holdLimit = 16 << 20

    private let policy: RecordingPolicy
    private var place = Place.start
    private var value = ValueSearch()
    private var line = 1
    private var members: [HeaderMember] = []
    private var memberBytes = 0
    private var name: (text: [UInt8], name: String) = ([], "")
    private var held: [RecordingItem] = []
    private var heldBytes = 0
    private var hasEvents = false
    private var returned = 0
    private var isHeaderDone = false
    private var time = RecordingTime.start
    private(set) var isEnded = false

    private enum Place {
        case start, firstName, name, colon, value, afterValue
        case events, firstEvent, event, afterEvent
        case end
    }

    init(_ policy: RecordingPolicy) {
        self.policy = policy
    }

    /// Returns the next item; nil if more bytes are needed, and at the end.
    mutating func next(
        _ lines: inout LineBuffer,
        isAtEnd: Bool,
        _ notes: inout RecordingNotes
    ) throws(VTError) -> RecordingItem? {
        while true {
            if isHeaderDone, let item = takeHeld() { return item }
            guard try step(&lines, isAtEnd, &notes) else { break }
        }
        guard isAtEnd else { return nil }
        guard case .end = place else {
            // The available part of a truncated file is still useful.
            try fault("the recording is truncated", &notes)
            guard members.contains(where: { $0.name == "version" }) else {
                throw .invalid(line, "the recording ends in the header")
            }
            place = .end
            lines.consume(to: lines.bytes.count)
            try finishHeader(&notes)
            return takeHeld()
        }
        isEnded = true
        return nil
    }

    private mutating func takeHeld() -> RecordingItem? {
        guard returned < held.count else {
            held.removeAll(keepingCapacity: true)
            returned = 0
            return nil
        }
        returned += 1
        return held[returned - 1]
    }

    // MARK: - Steps

    /// Reads one name, value or punctuation mark; returns false if more bytes are needed.
    private mutating func step(
        _ lines: inout LineBuffer,
        _ isAtEnd: Bool,
        _ notes: inout RecordingNotes
    ) throws(VTError) -> Bool {
        skipBlanks(&lines)
        guard lines.count > 0 else { return false }
        switch place {
        case .start:
            guard Self.take("{", &lines) else { throw .invalid(line, "expected '{'") }
            place = .firstName
        case .firstName where Self.take("}", &lines), .afterValue where Self.take("}", &lines):
            place = .end
            try finishHeader(&notes)
            if !hasEvents { try fault("the recording has no 'stdout'", &notes) }
        case .afterValue:
            guard Self.take(",", &lines) else { throw .invalid(line, "expected ',' or '}'") }
            place = .name
        case .firstName, .name:
            guard lines.bytes[lines.start] == UInt8(ascii: "\"") else {
                throw .invalid(line, "expected a member name")
            }
            guard let bytes = try takeValue(&lines, isAtEnd, AsciicastReader.headerLimit) else { return false }
            try takeName(bytes)
        case .colon:
            guard Self.take(":", &lines) else { throw .invalid(line, "expected ':' after '\(name.name)'") }
            place = name.name == "stdout" ? .events : .value
        case .value:
            guard let bytes = try takeValue(&lines, isAtEnd, AsciicastReader.headerLimit) else { return false }
            try takeMember(bytes, &notes)
        case .events, .firstEvent, .event, .afterEvent:
            return try eventStep(&lines, isAtEnd, &notes)
        case .end:
            throw .invalid(line, "unexpected data after the document")
        }
        return true
    }

    /// Reads one event or punctuation mark within `stdout`; returns false if more bytes are needed.
    private mutating func eventStep(
        _ lines: inout LineBuffer,
        _ isAtEnd: Bool,
        _ notes: inout RecordingNotes
    ) throws(VTError) -> Bool {
        if place == .events {
            guard Self.take("[", &lines) else { throw .invalid(line, "'stdout' is not an array") }
            place = .firstEvent
            hasEvents = true
        } else if place != .event, Self.take("]", &lines) {
            place = .afterValue
        } else if place == .afterEvent {
            guard Self.take(",", &lines) else { throw .invalid(line, "expected ',' or ']'") }
            place = .event
        } else {
            guard let bytes = try takeValue(&lines, isAtEnd, AsciicastReader.lineLimit) else { return false }
            try takeEvent(bytes, &notes)
        }
        return true
    }

    /// Consumes a punctuation mark if it is next.
    private static func take(_ sign: Unicode.Scalar, _ lines: inout LineBuffer) -> Bool {
        guard lines.bytes[lines.start] == UInt8(ascii: sign) else { return false }
        lines.consume(to: lines.start + 1)
        return true
    }

    private mutating func skipBlanks(_ lines: inout LineBuffer) {
        guard value.isAtStart else { return }
        var position = lines.start
        while position < lines.bytes.count, EventScanner.isBlank(lines.bytes[position]) {
            if lines.bytes[position] == 0x0A { line += 1 }
            position += 1
        }
        lines.consume(to: position)
    }

    private mutating func takeValue(
        _ lines: inout LineBuffer,
        _ isAtEnd: Bool,
        _ limit: Int
    ) throws(VTError) -> [UInt8]? {
        let length = value.length(in: lines.bytes.span.extracting(lines.start..<lines.bytes.count), isAtEnd: isAtEnd)
        guard let length else {
            guard lines.count <= limit else { throw .invalid(line, "a value is longer than \(limit >> 20) MiB") }
            return nil
        }
        guard length <= limit else { throw .invalid(line, "a value is longer than \(limit >> 20) MiB") }
        let bytes = Array(lines.bytes[lines.start..<lines.start + length])
        value = ValueSearch()
        lines.consume(to: lines.start + length)
        return bytes
    }

    // MARK: - The header

    private mutating func takeName(_ bytes: [UInt8]) throws(VTError) {
        guard let text = try parsed(bytes).string(in: bytes) else { throw .invalid(line, "expected a member name") }
        guard !members.contains(where: { $0.name == text }), text != "stdout" || !hasEvents else {
            throw .invalid(line, "duplicate member '\(text)'")
        }
        guard members.count < 1000 else { throw .invalid(line, "the header has more than 1000 members") }
        name = (bytes, text)
        place = .colon
    }

    private mutating func takeMember(_ bytes: [UInt8], _ notes: inout RecordingNotes) throws(VTError) {
        let outline = try parsed(bytes)
        let text = HeaderMember.oneLine(name.text + Array(": ".utf8) + bytes)
        place = .afterValue
        let member = HeaderMember(name: name.name, value: outline, document: bytes, text: text, line: line)
        line += bytes.count { $0 == 0x0A }
        if isHeaderDone {
            return try fault("'\(name.name)' must precede 'stdout' in a recording this long", &notes)
        }
        if member.name == "version", try AsciicastReader.version(member, line: member.line) != .v1 {
            throw .invalid(member.line, "only a version 1 header can span several lines")
        }
        memberBytes += text.count
        guard memberBytes <= AsciicastReader.headerLimit else {
            throw .invalid(member.line, "the header is longer than \(AsciicastReader.headerLimit >> 20) MiB")
        }
        members.append(member)
    }

    private func parsed(_ bytes: [UInt8]) throws(VTError) -> JSONOutline {
        do throws(JSONSyntaxError) {
            return try JSONOutlineParser.parse(bytes)
        } catch {
            throw .invalid(line + error.line - 1, error.message)
        }
    }

    private mutating func finishHeader(_ notes: inout RecordingNotes) throws(VTError) {
        guard !isHeaderDone else { return }
        _ = try AsciicastReader.version(members.first { $0.name == "version" }, line: 1)
        let header = try HeaderReading.header(.v1, members, firstLine: 1, policy, &notes)
        held.insert(.header(header), at: 0)
        isHeaderDone = true
    }

    // MARK: - Events

    private mutating func takeEvent(_ bytes: [UInt8], _ notes: inout RecordingNotes) throws(VTError) {
        place = .afterEvent
        if let fields = EventScanner.fields(bytes.span, hasCode: false) {
            try advance(fields.time)
            held.append(.event(RecordingEvent(time: time, code: fields.code, data: fields.data)))
            heldBytes += isHeaderDone ? 0 : bytes.count + MemoryLayout<RecordingItem>.size
            if heldBytes > Self.holdLimit { try finishHeader(&notes) }
        } else {
            let fault = EventFault(bytes, hasCode: false)
            try self.fault(fault.message, &notes)
            if let time = fault.time { try advance(time) }
        }
        line += bytes.count { $0 == 0x0A }
    }

    private mutating func advance(_ interval: RecordingTime) throws(VTError) {
        time = time + interval
        guard time < .latest else { throw .invalid(line, "the time is out of range") }
    }

    private func fault(_ message: String, _ notes: inout RecordingNotes) throws(VTError) {
        guard policy == .lenient else { throw .invalid(line, message) }
        notes.add(line, message)
    }
}
