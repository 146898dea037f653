import Arguments
import Core
import Recording
import Services

/// The JSON document of `vt cast info`; times are in milliseconds, with microsecond precision.
struct RecordingDocument {
    enum Format: String, CaseIterable, JSONValue {
        case asciicast, typescript
    }

    struct Resize {
        let time: Double
        let size: SizeDocument
    }

    struct Marker {
        let time: Double
        let label: String
    }

    struct Exit {
        let code: Int32
    }

    struct Terminal {
        let type: String?
        let version: String?
    }

    struct Theme {
        let foreground: String
        let background: String
        let palette: [String]
    }

    struct Note {
        let line: Int?
        let message: String
    }

    private let format: Format
    private let version: Int?
    private let isCompressed: Bool
    private let bytes: Int64?
    private let title: String?
    private let command: String?
    private let timestamp: Timestamp?
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
        format = isTypescript ? .typescript : .asciicast
        version = isTypescript ? nil : header.version.rawValue
        isCompressed = file.isCompressed
        bytes = file.byteCount
        title = header.title
        command = header.command
        timestamp = header.timestamp.flatMap { Timestamp(inFourDigitYears: $0) }
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
    static let documentName = "recording"
    static let documentSummary = "a recording"

    static let fields: JSONTable<Self> = [
        .field("format", \.format, "file format"),
        .field("version", \.version, "version of the asciicast format"),
        .field("compressed", \.isCompressed, "whether the file is compressed with gzip"),
        .field("bytes", \.bytes, "size of the file; absent for a pipe", in: .bytes),
        .field("title", \.title, "title in the header"),
        .field("command", \.command, "command in the header"),
        .field("timestamp", \.timestamp, "time at which the recording started", in: .time),
        .field("environment", \.environment, "environment variables in the header"),
        .field("size", \.size, "initial size of the terminal"),
        .field("resizes", \.resizes, "changes in terminal size"),
        .field("duration_ms", \.duration, "time of the last event", in: .milliseconds),
        .field(
            "active_duration_ms",
            \.activeDuration,
            "duration with each pause counted only up to the limit",
            in: .milliseconds
        ),
        .field("idle_limit_ms", \.idleLimit, "limit for pauses, from `--idle-limit` or the header", in: .milliseconds),
        .field("event_count", \.eventCount, "number of events"),
        .field("events", \.events, "number of events by code"),
        .field("output_bytes", \.outputBytes, "total output", in: .bytes),
        .field("input_bytes", \.inputBytes, "total input", in: .bytes),
        .field("markers", \.markers, "all markers"),
        .field("exit", \.exit, "how the recorded program ended"),
        .field("terminal", \.terminal, "terminal in the header"),
        .field("theme", \.theme, "colors in the header"),
        .field("notes", \.notes, "the first problems found in the file"),
        .field("note_count", \.noteCount, "total number of problems"),
    ]
}

extension RecordingDocument.Resize: JSONDocument {
    static let documentName = "resize"
    static let documentSummary = "a change in terminal size"

    static let fields: JSONTable<Self> = [
        .field("time_ms", \.time, "time since the start", in: .milliseconds),
        .field("size", \.size, "new size"),
    ]
}

extension RecordingDocument.Marker: JSONDocument {
    static let documentName = "marker"
    static let documentSummary = "a marker in a recording"

    static let fields: JSONTable<Self> = [
        .field("time_ms", \.time, "time since the start", in: .milliseconds),
        .field("label", \.label, "label; may be empty"),
    ]
}

extension RecordingDocument.Exit: JSONDocument {
    static let documentName = "recorded exit"
    static let documentSummary = "how a recorded program ended"

    static let fields: JSONTable<Self> = [
        .field("code", \.code, "exit status; 128+n if signal n terminated the program")
    ]
}

extension RecordingDocument.Terminal: JSONDocument {
    static let documentName = "terminal"
    static let documentSummary = "the terminal of a recording"

    static let fields: JSONTable<Self> = [
        .field("type", \.type, "terminal type, the value of TERM"),
        .field("version", \.version, "name and version of the terminal"),
    ]
}

extension RecordingDocument.Theme: JSONDocument {
    static let documentName = "theme"
    static let documentSummary = "the colors of a recording"

    static let fields: JSONTable<Self> = [
        .field("foreground", \.foreground, "default text color, `#rrggbb`"),
        .field("background", \.background, "background color, `#rrggbb`"),
        .field("palette", \.palette, "8 or 16 colors, `#rrggbb`"),
    ]
}

extension RecordingDocument.Note: JSONDocument {
    static let documentName = "note"
    static let documentSummary = "a problem in a recording"

    static let fields: JSONTable<Self> = [
        .field("line", \.line, "line number, starting at 1"),
        .field("message", \.message, "description of the problem"),
    ]
}
