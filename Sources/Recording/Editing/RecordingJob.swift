import Core

/// Reads recordings, edits them and writes the result, as a stream.
package struct RecordingJob<Edit: RecordingEdit> {
    private let files: [RecordingFile]
    private var edit: Edit
    private var result: Result

    /// The number of bytes to buffer before a write; fewer are written when the input pauses.
    private static var chunkBytes: Int { 128 << 10 }

    /// - Parameters:
    ///   - files: The recordings to read, in order.
    ///   - edit: The edit to apply.
    ///   - format: The output format; nil means the format of the first file.
    package init(_ files: [RecordingFile], _ edit: Edit, as format: RecordingFormat?) {
        self.files = files
        self.edit = edit
        result = Result(format: format)
    }

    /// Runs the job; `write` receives the bytes of the result.
    package consuming func run(_ write: ([UInt8]) throws(VTError) -> Void) throws(VTError) {
        for file in files {
            try file.read(
                { item throws(VTError) in try take(item, write) },
                pause: { () throws(VTError) in try flush(write) }
            )
        }
        try edit.finish { item in result.write(item) }
        result.encoder?.finish()
        try flush(write)
    }

    private mutating func take(
        _ item: RecordingItem,
        _ write: ([UInt8]) throws(VTError) -> Void
    ) throws(VTError) {
        try edit.take(item) { item in result.write(item) }
        if let count = result.encoder?.count, count >= Self.chunkBytes { try flush(write) }
    }

    /// The output; its encoder is created once the header is known, because the format can depend on the header.
    private struct Result {
        let format: RecordingFormat?
        var encoder: RecordingEncoder?

        mutating func write(_ item: RecordingItem) {
            if case .header(let header) = item { encoder = RecordingEncoder(format ?? RecordingFormat(of: header)) }
            encoder?.write(item)
        }
    }

    private mutating func flush(_ write: ([UInt8]) throws(VTError) -> Void) throws(VTError) {
        try result.encoder?.drain(write)
    }
}
