import Core
import Recording
import Services

/// The JSON document of `vt cast info --json`; durations in milliseconds, with microsecond precision.
struct RecordingDocument: Encodable {
    struct Size: Encodable {
        let columns: Int
        let rows: Int

        init(_ size: TerminalSize) {
            columns = size.columns
            rows = size.rows
        }
    }

    struct Resize: Encodable {
        let time: Double
        let size: Size

        private enum CodingKeys: String, CodingKey {
            case time = "time_ms"
            case size
        }
    }

    struct Marker: Encodable {
        let time: Double
        let label: String

        private enum CodingKeys: String, CodingKey {
            case time = "time_ms"
            case label
        }
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
    private let size: Size
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

    private enum CodingKeys: String, CodingKey {
        case format, version, bytes, title, command, timestamp, environment, size, resizes, events, markers, exit
        case terminal, theme, notes
        case isCompressed = "compressed"
        case duration = "duration_ms"
        case activeDuration = "active_duration_ms"
        case idleLimit = "idle_limit_ms"
        case eventCount = "event_count"
        case outputBytes = "output_bytes"
        case inputBytes = "input_bytes"
        case noteCount = "note_count"
    }

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
        size = Size(header.size)
        resizes = summary.resizes.map { Resize(time: Self.milliseconds($0.time), size: Size($0.size)) }
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
