import Core

/// Reads a v1 recording, which is one JSON document; see docs.asciinema.org/manual/asciicast/v1.
struct DocumentReading {
    /// The maximum length of a document in bytes; parsing takes several times as much memory.
    static let limit = 32 << 20

    private let document: [UInt8]
    private let policy: RecordingPolicy
    private var notes: RecordingNotes
    private var time = RecordingTime.start

    /// - Throws: `data.invalid`, with the line number.
    static func items(
        _ document: [UInt8],
        _ policy: RecordingPolicy,
        _ notes: inout RecordingNotes
    ) throws(VTError) -> [RecordingItem] {
        var reading = DocumentReading(document: document, policy: policy, notes: notes)
        let items = try reading.items()
        notes = reading.notes
        return items
    }

    private init(document: [UInt8], policy: RecordingPolicy, notes: RecordingNotes) {
        let isRepaired = policy == .lenient && String(validating: document, as: UTF8.self) == nil
        self.document = isRepaired ? Array(String(decoding: document, as: UTF8.self).utf8) : document
        self.policy = policy
        self.notes = notes
        if isRepaired { self.notes.add(nil, "replaced invalid UTF-8 with U+FFFD") }
    }

    private mutating func items() throws(VTError) -> [RecordingItem] {
        var outline = try outline()
        let output = outline.member("stdout")
        outline.content = .object((outline.members ?? []).filter { $0.name != "stdout" })
        let members = try headerMembers(outline)
        let events = try output.map { output throws(VTError) in try self.events(output) }
        let header = try HeaderReading.header(.v1, members, firstLine: 1, policy, &notes)
        if events == nil { try fault(1, "the recording has no 'stdout'") }
        return [.header(header)] + (events ?? [])
    }

    private func outline() throws(VTError) -> JSONOutline {
        do throws(JSONSyntaxError) {
            return try JSONOutlineParser.parse(document)
        } catch {
            throw .invalid(error.line, error.message)
        }
    }

    private func headerMembers(_ outline: JSONOutline) throws(VTError) -> [HeaderMember] {
        let members = HeaderMember.all(of: outline, in: document, firstLine: 1) ?? []
        let version = members.first { $0.name == "version" }
        guard try AsciicastReader.version(version, line: 1) == .v1 else {
            throw .invalid(version?.line ?? 1, "only a version 1 header can span several lines")
        }
        var length = 0
        for member in members {
            length += member.text.count
            guard length <= AsciicastReader.headerLimit else {
                throw .invalid(member.line, "the header is longer than \(AsciicastReader.headerLimit >> 20) MiB")
            }
        }
        return members
    }

    // MARK: - Events

    private mutating func events(_ output: JSONOutline) throws(VTError) -> [RecordingItem] {
        guard let elements = output.elements else { throw .invalid(output.line, "'stdout' is not an array") }
        var events: [RecordingItem] = []
        for element in elements {
            if let event = try event(element) { events.append(.event(event)) }
        }
        return events
    }

    private mutating func event(_ element: JSONOutline) throws(VTError) -> RecordingEvent? {
        guard element.range.count <= AsciicastReader.lineLimit else {
            throw .invalid(element.line, "an event is longer than \(AsciicastReader.lineLimit >> 20) MiB")
        }
        if let fields = EventScanner.fields(document.span.extracting(element.range), hasCode: false) {
            try advance(fields.time, element.line)
            return RecordingEvent(time: time, code: fields.code, data: fields.data)
        }
        let fault = EventFault(Array(document[element.range]), hasCode: false)
        try self.fault(element.line, fault.message)
        if let time = fault.time { try advance(time, element.line) }
        return nil
    }

    private mutating func advance(_ interval: RecordingTime, _ line: Int) throws(VTError) {
        time = time + interval
        guard time < .latest else { throw .invalid(line, "the time is out of range") }
    }

    private mutating func fault(_ line: Int, _ message: String) throws(VTError) {
        guard policy == .lenient else { throw .invalid(line, message) }
        notes.add(line, message)
    }
}
