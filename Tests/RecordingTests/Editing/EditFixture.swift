import Core
import Recording

/// Applies an edit to a recording given as text.
struct EditFixture {
    var header = RecordingHeader(size: .standard)
    var events: [RecordingEvent] = []

    /// Feeds recordings to an edit; each is a v3 file without its header, with times as intervals.
    init(_ recordings: String..., header: String? = nil, edit: some RecordingEdit) throws(VTError) {
        var edit = edit
        var items: [RecordingItem] = []
        for recording in recordings {
            let first = header ?? #"{"version": 3, "term": {"cols": 20, "rows": 4}}"#
            var reader = AsciicastReader()
            reader.append(Array("\(first)\n\(recording)".utf8))
            reader.finish()
            while let item = try reader.next() { edit.consume(item, into: &items) }
        }
        edit.finish(into: &items)
        for item in items {
            switch item {
            case .header(let header): self.header = header
            case .event(let event): events.append(event)
            }
        }
    }

    /// Each event as `TIME CODE DATA`, with times since the start.
    var texts: [String] {
        events.map { "\($0.time.text()) \($0.code) \(String(decoding: $0.data, as: UTF8.self))" }
    }
}
