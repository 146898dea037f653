import Core
import Terminal

/// Reads a recording once and stores screens at regular intervals, always between two lines.
struct KeyframeIndexBuilder: ~Copyable {
    private var reader: AsciicastReader
    private var terminal: RecordingTerminal?
    private var index: KeyframeIndex
    private let spacingBytes: Int64
    /// The bytes of the current, incomplete line.
    private var rest: [UInt8] = []
    private var offset: Int64 = 0
    private var lastOffset: Int64 = 0
    private var sizeBytes = 0
    /// Whether the recording can have an index: an uncompressed file with one event per line and not too many markers.
    private(set) var isPossible = true

    init(_ file: RecordingFile.Identity, _ policy: RecordingPolicy, spacingBytes: Int64) {
        reader = AsciicastReader(policy)
        index = KeyframeIndex(file: file, header: [], isRelative: false)
        self.spacingBytes = spacingBytes
    }

    var notes: RecordingNotes { reader.notes }
    var hasHeader: Bool { terminal != nil }

    /// Processes the next chunk of the file; returns false if the recording cannot have an index.
    ///
    /// An empty chunk marks the end of the file.
    mutating func take(_ chunk: [UInt8]) throws(VTError) -> Bool {
        guard !chunk.isEmpty else {
            reader.append(rest)
            reader.finish()
            try drain()
            return isPossible
        }
        guard let last = chunk.lastIndex(of: 0x0A) else {
            rest += chunk
            // The reader reports lines that are too long.
            isPossible = isPossible && rest.count <= AsciicastReader.lineLimit
            return isPossible
        }
        let lines = rest + chunk[...last]
        rest = Array(chunk[(last + 1)...])
        if index.header.isEmpty { index.header = lines.firstIndex(of: 0x0A).map { Array(lines[...$0]) } ?? [] }
        reader.append(lines)
        try drain()
        offset += Int64(lines.count)
        if offset - lastOffset >= spacingBytes { add() }
        return isPossible
    }

    /// Returns the index of the data that has been read.
    consuming func finished() -> KeyframeIndex {
        index
    }

    private mutating func drain() throws(VTError) {
        while isPossible, let item = try reader.next() {
            switch item {
            case .header(let header):
                terminal = RecordingTerminal(header)
                index.isRelative = header.version == .v3
                isPossible = header.version != .v1 && !reader.isCompressed
            case .event(let event):
                terminal?.take(event)
                index.count += 1
                index.end = event.time
                if case .marker(let label) = event.content { add(label, event.time) }
            }
        }
    }

    private mutating func add(_ label: String, _ time: RecordingTime) {
        sizeBytes += label.utf8.count + 20
        // A file with too many markers has no index.
        isPossible = isPossible && sizeBytes < KeyframeIndex.limitBytes / 2
        index.markers.append(KeyframeIndex.Marker(label: label, number: index.count, time: time))
    }

    /// Stores the current screen, unless the output ends in the middle of a sequence, or the reader has skipped or
    /// changed data.
    private mutating func add() {
        guard reader.notes.count == 0, let emulator = terminal?.emulator, let state = EmulatorKeyframe(emulator) else {
            return
        }
        sizeBytes += state.bytes.count + 32
        guard sizeBytes < KeyframeIndex.limitBytes else { return }
        lastOffset = offset
        index.keyframes.append(
            KeyframeIndex.Keyframe(offset: offset, number: index.count, time: index.end, state: state)
        )
    }
}
