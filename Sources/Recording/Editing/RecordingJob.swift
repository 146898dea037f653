import Core

/// Reads recordings, changes them and writes the result, all as it goes by.
package struct RecordingJob<Edit: RecordingEdit> {
    private let files: [RecordingFile]
    private var edit: Edit
    private var result: Result

    /// So much is written at once, or all that is there when the input pauses.
    private static var chunkBytes: Int { 256 << 10 }

    /// - Parameters:
    ///   - files: What is read, one behind the other.
    ///   - edit: What is changed.
    ///   - format: What is written; nil: the format of the first file.
    package init(_ files: [RecordingFile], _ edit: Edit, as format: RecordingFormat?) {
        self.files = files
        self.edit = edit
        result = Result(format: format)
    }

    /// Does all of it; `write` takes the bytes of the result.
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

    /// The encoder, made with the header, on which the format may depend.
    private struct Result {
        let format: RecordingFormat?
        var encoder: RecordingEncoder?

        mutating func write(_ item: RecordingItem) {
            if case .header(let header) = item { encoder = RecordingEncoder(format ?? RecordingFormat(of: header)) }
            encoder?.write(item)
        }
    }

    private mutating func flush(_ write: ([UInt8]) throws(VTError) -> Void) throws(VTError) {
        if let bytes = result.encoder?.take(), !bytes.isEmpty { try write(bytes) }
    }
}
