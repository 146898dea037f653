/// Writes an asciicast: the header first, then one event per line.
///
/// A truncated file is thus valid up to its last complete line. See docs.asciinema.org/manual/asciicast.
package struct AsciicastWriter: Sendable {
    package let format: AsciicastVersion
    private let unit: Int64
    private var bytes: [UInt8] = []
    /// The time of the previous event, as written.
    private var written: Int64 = 0

    /// The resolution of written times.
    package enum Resolution: Int64, Sendable {
        case microseconds = 1
        case milliseconds = 1000
    }

    package init(_ format: AsciicastVersion = .v3, _ resolution: Resolution = .microseconds) {
        self.format = format
        unit = resolution.rawValue
    }

    /// Continues a recording whose last event was at `time`, such as a file to append to.
    package init(_ format: AsciicastVersion, _ resolution: Resolution = .microseconds, after time: RecordingTime) {
        self.init(format, resolution)
        written = time.microseconds
    }

    package mutating func write(_ header: RecordingHeader) {
        bytes += HeaderWriter.line(header, format)
    }

    /// Writes an event; an event that is earlier than the previous one is written with the time of the previous one.
    ///
    /// The time of the event is rounded, not its interval, so rounding errors do not accumulate.
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

    /// The number of bytes that `take` would return.
    package var count: Int { bytes.count }

    /// Returns the bytes written since the last call.
    package mutating func take() -> [UInt8] {
        let taken = bytes
        bytes = []
        bytes.reserveCapacity(taken.count)
        return taken
    }

    /// Calls `body` with the bytes written since the last call, if any, and reuses their memory.
    package mutating func drain<Failure>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        if !bytes.isEmpty { try body(bytes) }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// A version of asciicast that can be written.
package enum AsciicastVersion: String, CaseIterable, Sendable {
    case v3
    case v2
}
