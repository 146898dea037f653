import Core
import Recording
import Services

/// The JSON document of `vt cast info`; times are in milliseconds, with microsecond precision.
struct RecordingDocument {
    enum Format: String, CaseIterable, JSONValue {
        case asciicast, typescript
    }

    struct Exit {
        let code: Int32
    }

    let summary: RecordingSummary
    let file: RecordingFile
    let isTypescript: Bool

    private var format: Format { isTypescript ? .typescript : .asciicast }
    private var version: Int? { isTypescript ? nil : summary.header.version.rawValue }
    private var timestamp: Timestamp? { summary.header.timestamp.flatMap { Timestamp(inFourDigitYears: $0) } }
    private var size: SizeDocument { SizeDocument(summary.header.size) }
    private var exit: Exit? { summary.exitStatus.map(Exit.init) }

    private var environment: [String: String]? {
        summary.header.environment.map { variables in
            Dictionary(variables.compactMap { variable in variable.value.map { (variable.name, $0) } }) { $1 }
        }
    }

    private var terminal: Terminal? {
        let header = summary.header
        let isKnown = header.terminalType != nil || header.terminalVersion != nil
        return isKnown ? Terminal(type: header.terminalType, version: header.terminalVersion) : nil
    }

    struct Terminal {
        let type: String?
        let version: String?
    }
}

extension RecordingDocument: JSONDocument {
    static let documentName = "recording"
    static let documentSummary = "a recording"

    static let fields: JSONTable<Self> = [
        .field("format", \.format, "file format"),
        .field("version", \.version, "version of the asciicast format"),
        .field("compressed", \.file.isCompressed, "whether the file is compressed with gzip"),
        .field("bytes", \.file.byteCount, "size of the file; absent for a pipe", in: .bytes),
        .field("title", \.summary.header.title, "title in the header"),
        .field("command", \.summary.header.command, "command in the header"),
        .field("timestamp", \.timestamp, "time at which the recording started", in: .time),
        .field("environment", \.environment, "environment variables in the header"),
        .field("size", \.size, "initial size of the terminal"),
        .field("resizes", \.summary.resizes, "changes in terminal size"),
        .field("duration_ms", \.summary.duration.milliseconds, "time of the last event", in: .milliseconds),
        .field(
            "active_duration_ms",
            \.summary.activeDuration?.milliseconds,
            "duration with each pause counted only up to the limit",
            in: .milliseconds
        ),
        .field(
            "idle_limit_ms",
            \.summary.idleLimit?.milliseconds,
            "limit for pauses, from `--idle-limit` or the header",
            in: .milliseconds
        ),
        .field("event_count", \.summary.eventCount, "number of events"),
        .field("events", \.summary.counts, "number of events by code"),
        .field("output_bytes", \.summary.outputBytes, "total output", in: .bytes),
        .field("input_bytes", \.summary.inputBytes, "total input", in: .bytes),
        .field("markers", \.summary.markers, "all markers"),
        .field("exit", \.exit, "how the recorded program ended"),
        .field("terminal", \.terminal, "terminal in the header"),
        .field("theme", \.summary.header.theme, "colors in the header"),
        .field("notes", \.file.notes.kept, "the first problems found in the file"),
        .field("note_count", \.file.notes.count, "total number of problems"),
    ]
}

extension RecordingSummary.Resize: JSONDocument {
    package static let documentName = "resize"
    package static let documentSummary = "a change in terminal size"

    package static let fields: JSONTable<Self> = [
        .field("time_ms", \.time.milliseconds, "time since the start", in: .milliseconds),
        .field("size", \.sizeDocument, "new size"),
    ]

    private var sizeDocument: SizeDocument { SizeDocument(size) }
}

extension RecordingSummary.Marker: JSONDocument {
    package static let documentName = "marker"
    package static let documentSummary = "a marker in a recording"

    package static let fields: JSONTable<Self> = [
        .field("time_ms", \.time.milliseconds, "time since the start", in: .milliseconds),
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

extension RecordingTheme: JSONDocument {
    package static let documentName = "theme"
    package static let documentSummary = "the colors of a recording"

    package static let fields: JSONTable<Self> = [
        .field("foreground", \.foreground, "default text color, `#rrggbb`"),
        .field("background", \.background, "background color, `#rrggbb`"),
        .field("palette", \.palette, "8 or 16 colors, `#rrggbb`"),
    ]
}

extension RecordingNotes.Note: JSONDocument {
    package static let documentName = "note"
    package static let documentSummary = "a problem in a recording"

    package static let fields: JSONTable<Self> = [
        .field("line", \.line, "line number, starting at 1"),
        .field("message", \.message, "description of the problem"),
    ]
}
