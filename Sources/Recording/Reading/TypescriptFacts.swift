import Core

/// The metadata that a typescript and its timing file contain about a session.
struct TypescriptFacts {
    private var columns: Int?
    private var rows: Int?
    private var timestamp: Int64?
    private var command: String?
    private var terminal: String?
    private var outputLog: String?
    private var inputLog: String?
    private(set) var exitStatus: Int32?

    /// Whether the typescript contains the input as well as the output.
    var hasInput: Bool { inputLog != nil && inputLog == outputLog }

    /// The header; its size is 80x24 if none was recorded, for example because there was no terminal.
    var header: RecordingHeader {
        var size = TerminalSize.standard
        if let columns, let rows, let given = TerminalSize(columns: columns, rows: rows) { size = given }
        var header = RecordingHeader(version: .v3, size: size)
        header.timestamp = timestamp
        header.command = command
        header.terminalType = terminal
        return header
    }

    /// Parses the first line of a typescript.
    ///
    /// `Script started on 2026-11-21 09:14:15+00:00 [COMMAND="ls" TERM="xterm" COLUMNS="80" LINES="24"]`.
    mutating func parse(firstLine line: String) {
        timestamp = Self.timestamp(line.dropFirst("Script started on ".count).prefix(25))
        for name in ["COMMAND", "TERM", "COLUMNS", "LINES"] {
            if let value = Self.value(name, in: line) { set(name, value) }
        }
    }

    /// Parses `Script done on 2026-11-21 09:14:15+00:00 [COMMAND_EXIT_CODE="0"]` after the program's output.
    mutating func parse(lastLines bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard exitStatus == nil, text.contains("Script done on ") else { return }
        if let value = Self.value("COMMAND_EXIT_CODE", in: text) { set("EXIT_CODE", value) }
    }

    /// Stores a header entry of an advanced timing file, by name.
    mutating func set(_ name: String, _ given: String) {
        let value = given.hasSuffix("\r") ? String(given.dropLast()) : given
        switch name {
        case "COLUMNS": columns = Int(value)
        case "LINES": rows = Int(value)
        case "TERM": terminal = value
        case "COMMAND": command = value
        case "OUTPUT_LOG": outputLog = value
        case "INPUT_LOG": inputLog = value
        case "START_TIME": timestamp = Self.timestamp(value.prefix(25)) ?? timestamp
        case "EXIT_CODE": exitStatus = Int32(value)
        default: break
        }
    }

    /// Returns a value in the first or last line of a typescript.
    ///
    /// Values are not escaped: a value ends at the first quote that is followed by another name, `]` or ` <`.
    private static func value(_ name: String, in line: String) -> String? {
        guard let start = line.firstRange(of: "\(name)=\"") else { return nil }
        let rest = line[start.upperBound...]
        let ends = ["\" <", "\" TERM=\"", "\" TTY=\"", "\" COLUMNS=\"", "\" LINES=\"", "\"]"]
        let end = ends.compactMap { rest.firstRange(of: $0)?.lowerBound }.min()
        return end.map { String(rest[..<$0]) }
    }

    /// Parses a time such as `2026-11-21 09:14:15+02:00`.
    private static func timestamp(_ text: Substring) -> Int64? {
        let time = text.prefix(19)
        let zone = text.dropFirst(19)
        guard let local = Timestamp(rawValue: time.replacing(" ", with: "T") + "Z"), zone.count == 6,
            let hours = Int64(zone.dropFirst().prefix(2)), let minutes = Int64(zone.suffix(2))
        else { return nil }
        let offset = (hours * 60 + minutes) * 60
        return local.seconds - (zone.hasPrefix("-") ? -offset : offset)
    }
}
