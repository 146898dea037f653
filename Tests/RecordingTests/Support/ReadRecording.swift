import Core
import Recording

/// Everything that a reader returned for a recording.
struct ReadRecording: Equatable {
    var header: RecordingHeader
    var events: [RecordingEvent] = []
    var notes: [String] = []

    var texts: [String] {
        events.map { "\($0.time.text()) \($0.code) \(String(decoding: $0.data, as: UTF8.self))" }
    }

    /// Reads bytes in pieces of `piece` bytes each; nil if there is no header.
    init?(_ bytes: [UInt8], _ policy: RecordingPolicy = .strict, piece: Int = 1 << 16) throws(VTError) {
        var reader = AsciicastReader(policy)
        var header: RecordingHeader?
        var events: [RecordingEvent] = []
        func take(_ item: RecordingItem) {
            switch item {
            case .header(let given): header = given
            case .event(let event): events.append(event)
            }
        }
        var position = 0
        while position < bytes.count {
            reader.append(Array(bytes[position..<min(position + piece, bytes.count)]))
            position += piece
            while let item = try reader.next() { take(item) }
        }
        reader.finish()
        while let item = try reader.next() { take(item) }
        guard let header else { return nil }
        self.header = header
        self.events = events
        notes = reader.notes.kept.map(\.text)
    }

    init?(_ text: String, _ policy: RecordingPolicy = .strict, piece: Int = 1 << 16) throws(VTError) {
        try self.init(Array(text.utf8), policy, piece: piece)
    }

    /// The recording as written in this format.
    func written(_ format: AsciicastVersion, _ resolution: AsciicastWriter.Resolution = .microseconds) -> [UInt8] {
        var writer = AsciicastWriter(format, resolution)
        writer.write(header)
        for event in events { writer.write(event) }
        return writer.take()
    }
}

/// The error of a reader, or nil if the reader accepts the text.
func readError(_ text: String, _ policy: RecordingPolicy = .strict) -> VTError? {
    do throws(VTError) {
        _ = try ReadRecording(text, policy)
        return nil
    } catch {
        return error
    }
}
