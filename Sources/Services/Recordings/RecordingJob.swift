import Core
import Recording

/// Reads recordings, changes them and writes the result, all as it goes by.
package struct RecordingJob<Edit: RecordingEdit> {
    private let files: [RecordingFile]
    private var edit: Edit
    private let format: RecordingFormat?
    /// Made with the header, of which the format may depend.
    private var encoder: RecordingEncoder?

    /// So much is written at once, or all that is there when the input pauses.
    private static var chunkBytes: Int { 256 << 10 }

    /// - Parameters:
    ///   - files: What is read, one behind the other.
    ///   - edit: What is changed.
    ///   - format: What is written; nil: the format of the first file.
    package init(_ files: [RecordingFile], _ edit: Edit, as format: RecordingFormat?) {
        self.files = files
        self.edit = edit
        self.format = format
    }

    /// Does all of it; `write` takes the bytes of the result.
    package consuming func run(_ write: ([UInt8]) throws(VTError) -> Void) throws(VTError) {
        for file in files {
            try file.read(
                { item throws(VTError) in try take(item, write) },
                pause: { () throws(VTError) in try flush(write) }
            )
        }
        try edit.finish { item in Self.write(item, format, &encoder) }
        encoder?.finish()
        try flush(write)
    }

    private mutating func take(
        _ item: RecordingItem,
        _ write: ([UInt8]) throws(VTError) -> Void
    ) throws(VTError) {
        try edit.take(item) { item in Self.write(item, format, &encoder) }
        if let count = encoder?.count, count >= Self.chunkBytes { try flush(write) }
    }

    private static func write(_ item: RecordingItem, _ format: RecordingFormat?, _ encoder: inout RecordingEncoder?) {
        if case .header(let header) = item { encoder = RecordingEncoder(format ?? RecordingFormat(of: header)) }
        encoder?.write(item)
    }

    private mutating func flush(_ write: ([UInt8]) throws(VTError) -> Void) throws(VTError) {
        if let bytes = encoder?.take(), !bytes.isEmpty { try write(bytes) }
    }
}
