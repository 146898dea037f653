import Arguments
import Core
import Recording
import Services

/// The JSON document of `vt cast info`; times are in milliseconds, with microsecond precision.
struct RecordingDocument: Encodable {
    struct Resize: Encodable {
        let time: Double
        let size: SizeDocument
    }

    struct Marker: Encodable {
        let time: Double
        let label: String
    }

    struct Exit: Encodable {
        let code: Int32
    }

    struct Terminal: Encodable {
        let type: String?
        let version: String?
    }

    struct Theme: Encodable {
        let foreground: String
        let background: String
        let palette: [String]
    }

    struct Note: Encodable {
        let line: Int?
        let message: String
    }

    private let format: String
    private let version: Int?
    private let isCompressed: Bool
    private let bytes: Int64?
    private let title: String?
    private let command: String?
    private let timestamp: String?
    private let environment: [String: String]?
    private let size: SizeDocument
    private let resizes: [Resize]
    private let duration: Double
    private let activeDuration: Double?
    private let idleLimit: Double?
    private let eventCount: Int
    private let events: [String: Int]
    private let outputBytes: Int64
    private let inputBytes: Int64
    private let markers: [Marker]
    private let exit: Exit?
    private let terminal: Terminal?
    private let theme: Theme?
    private let notes: [Note]
    private let noteCount: Int

    init(_ summary: RecordingSummary, _ file: RecordingFile, isTypescript: Bool) {
        let header = summary.header
        format = isTypescript ? "typescript" : "asciicast"
        version = isTypescript ? nil : header.version.rawValue
        isCompressed = file.isCompressed
        bytes = file.byteCount
        title = header.title
        command = header.command
        timestamp = header.timestamp.flatMap { Timestamp(inFourDigitYears: $0)?.rawValue }
        environment = header.environment.map { variables in
            Dictionary(variables.compactMap { variable in variable.value.map { (variable.name, $0) } }) { $1 }
        }
        size = SizeDocument(header.size)
        resizes = summary.resizes.map { Resize(time: Self.milliseconds($0.time), size: SizeDocument($0.size)) }
        duration = Self.milliseconds(summary.duration)
        activeDuration = summary.activeDuration.map(Self.milliseconds)
        idleLimit = summary.idleLimit.map(Self.milliseconds)
        eventCount = summary.eventCount
        events = summary.counts
        outputBytes = summary.outputBytes
        inputBytes = summary.inputBytes
        markers = summary.markers.map { Marker(time: Self.milliseconds($0.time), label: $0.label) }
        exit = summary.exitStatus.map(Exit.init)
        let isKnown = header.terminalType != nil || header.terminalVersion != nil
        terminal = isKnown ? Terminal(type: header.terminalType, version: header.terminalVersion) : nil
        theme = header.theme.map {
            Theme(foreground: $0.foreground, background: $0.background, palette: $0.palette)
        }
        notes = file.notes.kept.map { Note(line: $0.line, message: $0.message) }
        noteCount = file.notes.count
    }

    private static func milliseconds(_ time: RecordingTime) -> Double {
        Double(time.microseconds) / 1000
    }
}

extension RecordingDocument: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case format, version
        case isCompressed = "compressed"
        case bytes, title, command, timestamp, environment, size, resizes
        case duration = "duration_ms"
        case activeDuration = "active_duration_ms"
        case idleLimit = "idle_limit_ms"
        case eventCount = "event_count"
        case events
        case outputBytes = "output_bytes"
        case inputBytes = "input_bytes"
        case markers, exit, terminal, theme, notes
        case noteCount = "note_count"
    }

    static let documentName = "recording"
    static let documentSummary = "a recording"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .format: JSONField(.choice(["asciicast", "typescript"]), "file format")
        case .version: JSONField(\Self.version, "version of the asciicast format")
        case .isCompressed: JSONField(\Self.isCompressed, "whether the file is compressed with gzip")
        case .bytes: JSONField(\Self.bytes, "size of the file; absent for a pipe", in: .bytes)
        case .title: JSONField(\Self.title, "title in the header")
        case .command: JSONField(\Self.command, "command in the header")
        case .timestamp: JSONField(\Self.timestamp, "time at which the recording started", in: .time)
        case .environment: JSONField(\Self.environment, "environment variables in the header")
        case .size: JSONField(\Self.size, "initial size of the terminal")
        case .resizes: JSONField(\Self.resizes, "changes in terminal size")
        case .duration: JSONField(\Self.duration, "time of the last event", in: .milliseconds)
        case .activeDuration:
            JSONField(\Self.activeDuration, "duration with each pause counted only up to the limit", in: .milliseconds)
        case .idleLimit:
            JSONField(\Self.idleLimit, "limit for pauses, from `--idle-limit` or the header", in: .milliseconds)
        case .eventCount: JSONField(\Self.eventCount, "number of events")
        case .events: JSONField(\Self.events, "number of events by code")
        case .outputBytes: JSONField(\Self.outputBytes, "total output", in: .bytes)
        case .inputBytes: JSONField(\Self.inputBytes, "total input", in: .bytes)
        case .markers: JSONField(\Self.markers, "all markers")
        case .exit: JSONField(\Self.exit, "how the recorded program ended")
        case .terminal: JSONField(\Self.terminal, "terminal in the header")
        case .theme: JSONField(\Self.theme, "colors in the header")
        case .notes: JSONField(\Self.notes, "the first problems found in the file")
        case .noteCount: JSONField(\Self.noteCount, "total number of problems")
        }
    }
}

extension RecordingDocument.Resize: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case time = "time_ms"
        case size
    }

    static let documentName = "resize"
    static let documentSummary = "a change in terminal size"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .time: JSONField(\Self.time, "time since the start", in: .milliseconds)
        case .size: JSONField(\Self.size, "new size")
        }
    }
}

extension RecordingDocument.Marker: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case time = "time_ms"
        case label
    }

    static let documentName = "marker"
    static let documentSummary = "a marker in a recording"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .time: JSONField(\Self.time, "time since the start", in: .milliseconds)
        case .label: JSONField(\Self.label, "label; may be empty")
        }
    }
}

extension RecordingDocument.Exit: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case code
    }

    static let documentName = "recorded exit"
    static let documentSummary = "how a recorded program ended"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .code: JSONField(\Self.code, "exit status; 128+n if signal n terminated the program")
        }
    }
}

extension RecordingDocument.Terminal: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case type, version
    }

    static let documentName = "terminal"
    static let documentSummary = "the terminal of a recording"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .type: JSONField(\Self.type, "terminal type, the value of TERM")
        case .version: JSONField(\Self.version, "name and version of the terminal")
        }
    }
}

extension RecordingDocument.Theme: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case foreground, background, palette
    }

    static let documentName = "theme"
    static let documentSummary = "the colors of a recording"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .foreground: JSONField(\Self.foreground, "default text color, `#rrggbb`")
        case .background: JSONField(\Self.background, "background color, `#rrggbb`")
        case .palette: JSONField(\Self.palette, "8 or 16 colors, `#rrggbb`")
        }
    }
}

extension RecordingDocument.Note: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case line, message
    }

    static let documentName = "note"
    static let documentSummary = "a problem in a recording"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .line: JSONField(\Self.line, "line number, starting at 1")
        case .message: JSONField(\Self.message, "description of the problem")
        }
    }
}
