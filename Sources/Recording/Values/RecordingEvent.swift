import Core

/// An event in a recording.
///
/// See docs.asciinema.org/manual/asciicast/v2 and v3, "Supported event codes".
package struct RecordingEvent: Hashable, Sendable {
    /// The time, never before the time of the previous event.
    package var time: RecordingTime
    /// The kind of event; some recorders write codes that are undefined in the format, or longer than one letter.
    package var code: String
    /// The data, as UTF-8.
    package var data: [UInt8]

    package init(time: RecordingTime, code: String, data: [UInt8]) {
        self.time = time
        self.code = code
        self.data = data
    }

    package init(time: RecordingTime, _ content: Content) {
        self.time = time
        switch content {
        case .output(let bytes): (code, data) = ("o", bytes)
        case .input(let bytes): (code, data) = ("i", bytes)
        case .resize(let size): (code, data) = ("r", Array("\(size.columns)x\(size.rows)".utf8))
        case .marker(let label): (code, data) = ("m", Array(label.utf8))
        case .exit(let status): (code, data) = ("x", Array(String(status).utf8))
        case .other(let code, let bytes): (self.code, data) = (code, bytes)
        }
    }

    /// The interpreted contents of an event.
    package enum Content: Hashable, Sendable {
        /// The program's output, as UTF-8.
        case output([UInt8])
        /// Typed input, as UTF-8.
        case input([UInt8])
        case resize(TerminalSize)
        /// A marker, whose label can be empty.
        case marker(String)
        /// The exit status of the program; 128+n if it was killed by signal n.
        case exit(Int32)
        case other(code: String, [UInt8])
    }

    /// The interpreted contents; a resize or exit with malformed data, which no reader returns, counts as `other`.
    package var content: Content {
        switch code {
        case "o": .output(data)
        case "i": .input(data)
        case "r": Self.size(data).map { .resize($0) } ?? .other(code: code, data)
        case "m": .marker(String(decoding: data, as: UTF8.self))
        case "x": Int32(String(decoding: data, as: UTF8.self)).map { .exit($0) } ?? .other(code: code, data)
        default: .other(code: code, data)
        }
    }

    /// The event of the start of a turn or, with a status, of its end, for recordings of sessions whose shell reports its
    /// commands.
    ///
    /// The data is the number of the turn and, at the end, the exit status or `-` if that is unknown: `5`, `5 0`. Other
    /// programs ignore the code, which the formats do not define.
    package static func turn(_ number: UInt64, status: UInt32?, isEnd: Bool, at time: RecordingTime) -> Self {
        let rest = isEnd ? " " + (status.map { String($0) } ?? "-") : ""
        return Self(time: time, code: turnCode, data: Array("\(number)\(rest)".utf8))
    }

    private static let turnCode = "t"

    /// The turn that starts or ends with this event.
    var turn: (number: Int64, isEnd: Bool)? {
        guard code == Self.turnCode else { return nil }
        let words = String(decoding: data, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard (1...2).contains(words.count), let number = Int64(words[0]), number > 0 else { return nil }
        return (number, words.count == 2)
    }

    /// Whether the data of the event is valid for its code.
    var isSound: Bool {
        switch code {
        case "r": Self.size(data) != nil
        case "x": Int32(String(decoding: data, as: UTF8.self)) != nil
        default: true
        }
    }

    private static func size(_ data: [UInt8]) -> TerminalSize? {
        // The reader reports an invalid size with its line number.
        try? TerminalSize(parsing: String(decoding: data, as: UTF8.self))
    }
}
