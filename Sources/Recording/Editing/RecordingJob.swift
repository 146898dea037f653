import Core

/// Reads recordings, edits them and writes the result, as a stream.
package struct RecordingJob<Edit: RecordingEdit> {
    private let files: [RecordingFile]
    private let format: RecordingFormat?
    private var edit: Edit
    /// The items that the edit has returned.
    private var items: [RecordingItem] = []
    /// The encoder of the result; created once the header is known, because the format can depend on it.
    private var encoder: RecordingEncoder?

    /// The number of bytes to buffer before a write; fewer are written when the input pauses.
    private static var chunkBytes: Int { 128 << 10 }

    /// - Parameters:
    ///   - files: The recordings to read, in order.
    ///   - edit: The edit to apply.
    ///   - format: The output format; nil means the format of the first file.
    package init(_ files: [RecordingFile], _ edit: Edit, as format: RecordingFormat?) {
        self.files = files
        self.edit = edit
        self.format = format
    }

    /// Runs the job; `write` receives the bytes of the result.
    package consuming func run(_ write: ([UInt8]) throws(VTError) -> Void) throws(VTError) {
        for file in files {
            try file.read(
                { item throws(VTError) in try consume(item, write) },
                pause: { () throws(VTError) in try flush(write) }
            )
        }
        finish()
        try flush(write)
    }

    private mutating func consume(
        _ item: RecordingItem,
        _ write: ([UInt8]) throws(VTError) -> Void
    ) throws(VTError) {
        edit.consume(item, into: &items)
        encode()
        if let count = encoder?.count, count >= Self.chunkBytes { try flush(write) }
    }

    private mutating func finish() {
        edit.finish(into: &items)
        encode()
        encoder?.finish()
    }

    private mutating func encode() {
        for item in items {
            if case .header(let header) = item { encoder = RecordingEncoder(format ?? RecordingFormat(of: header)) }
            encoder?.write(item)
        }
        items.removeAll(keepingCapacity: true)
    }

    private mutating func flush(_ write: ([UInt8]) throws(VTError) -> Void) throws(VTError) {
        try encoder?.drain(write)
    }
}
