/// Encodes a recording in any of the formats, item by item.
package struct RecordingEncoder {
    /// The writer for asciicasts; nil for other formats.
    private var cast: AsciicastWriter?
    /// The writer for text, created when the header is written; nil for other formats.
    private var text: TextWriter?
    private let format: RecordingFormat
    private var bytes: [UInt8] = []

    package init(_ format: RecordingFormat) {
        self.format = format
        cast = format.asciicastVersion.map { AsciicastWriter($0) }
    }

    package mutating func write(_ item: RecordingItem) {
        switch item {
        case .header(let header): write(header)
        case .event(let event): write(event)
        }
    }

    private mutating func write(_ header: RecordingHeader) {
        switch format {
        case .v3, .v2: cast?.write(header)
        case .txt: text = TextWriter(header)
        case .raw: break
        }
    }

    private mutating func write(_ event: RecordingEvent) {
        switch format {
        case .v3, .v2: cast?.write(event)
        case .txt: text?.write(event)
        case .raw: if case .output(let output) = event.content { bytes += output }
        }
    }

    /// Ends the recording; in text format, this writes the final screen.
    package mutating func finish() {
        text?.finish()
    }

    /// The number of bytes that `take` would return.
    package var count: Int {
        bytes.count + (cast?.count ?? 0) + (text?.count ?? 0)
    }

    /// Returns the bytes written since the last call.
    package mutating func take() -> [UInt8] {
        if let written = cast?.take() ?? text?.take() { return written }
        defer { bytes = [] }
        return bytes
    }

    /// Calls `body` with the bytes written since the last call, if any, and reuses their memory.
    package mutating func drain<Failure>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        try cast?.drain(body)
        try text?.drain(body)
        if !bytes.isEmpty { try body(bytes) }
        bytes.removeAll(keepingCapacity: true)
    }
}
