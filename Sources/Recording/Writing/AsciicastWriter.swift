/// A version of asciicast that is written.
package enum AsciicastVersion: String, CaseIterable, Sendable {
    case v3
    case v2
}

/// Writes an asciicast: the header first, then events, each in a line of its own.
///
/// So a file of which the end is missing is good up to its last whole line. See docs.asciinema.org/manual/asciicast.
package struct AsciicastWriter: Sendable {
    package let format: AsciicastVersion
    private let unit: Int64
    private var bytes: [UInt8] = []
    /// The time of the event before, as it was written.
    private var written: Int64 = 0

    /// How exact times are written.
    package enum Resolution: Int64, Sendable {
        case microseconds = 1
        case milliseconds = 1000
    }

    package init(_ format: AsciicastVersion = .v3, _ resolution: Resolution = .microseconds) {
        self.format = format
        unit = resolution.rawValue
    }

    /// Goes on with a recording whose last event was at `time`, such as a file to which is appended.
    package init(_ format: AsciicastVersion, _ resolution: Resolution = .microseconds, after time: RecordingTime) {
        self.init(format, resolution)
        written = time.microseconds
    }

    package mutating func write(_ header: RecordingHeader) {
        bytes += HeaderWriter.line(header, format)
    }

    /// Writes an event; a time before that of the event ahead counts as that.
    ///
    /// A rounded time is that of the event, not of its interval: errors of rounding never add up.
    package mutating func write(_ event: RecordingEvent) {
        let time = max((event.time.microseconds + unit / 2) / unit * unit, written)
        bytes.append(UInt8(ascii: "["))
        switch format {
        case .v3: RecordingTime(microseconds: time - written).append(to: &bytes, digits: 3)
        case .v2: RecordingTime(microseconds: time).append(to: &bytes)
        }
        written = time
        comma()
        JSONStringWriter.append(event.code, to: &bytes)
        comma()
        JSONStringWriter.append(event.data, to: &bytes)
        bytes.append(UInt8(ascii: "]"))
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func comma() {
        bytes.append(UInt8(ascii: ","))
        bytes.append(UInt8(ascii: " "))
    }

    /// How many bytes `take` would return.
    package var count: Int { bytes.count }

    /// Returns what was written since the last call.
    package mutating func take() -> [UInt8] {
        let taken = bytes
        bytes = []
        bytes.reserveCapacity(taken.count)
        return taken
    }
}
