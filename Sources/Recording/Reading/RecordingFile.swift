import Core
import Runtime

/// A recording in a file or on standard input: an asciicast, or a typescript of script(1) with its timing file.
///
/// Reading starts at the beginning and can stop early.
package final class RecordingFile {
    let policy: RecordingPolicy
    /// The notes about lines that were skipped or changed in the last complete pass.
    package private(set) var notes = RecordingNotes()
    /// Whether the file is compressed; known once it has been read.
    package private(set) var isCompressed = false
    /// Called with messages that report how much of the file has been read.
    package var progress: ((String) -> Void)?
    /// Whether a header has been read; without a header, `--lenient` would not help.
    private var hasHeader = false

    private let input: InputFile
    private let timing: InputFile?
    private let isReadAgain: Bool
    private let diagnostics: (any Diagnostics)?
    private var stream: (any ByteSource)?
    private var wasRead = false
    private var hasReported = false

    /// The maximum number of bytes read at once.
    private static let pieceBytes = 128 << 10

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - path: The path of a file, or `-` for standard input.
    ///   - timing: The timing file, if the recording is a typescript.
    ///   - policy: How to handle invalid lines.
    ///   - isReadAgain: Whether the recording may be read more than once; input from a pipe is then kept in a temporary
    ///     file.
    ///   - diagnostics: Receives the notes from the first complete pass; nil to report none.
    /// - Throws: `not-found`, `io`, and `cannot-create` if the temporary file cannot be created.
    package init(
        opening path: String,
        timing: String? = nil,
        policy: RecordingPolicy = .strict,
        isReadAgain: Bool = false,
        diagnostics: (any Diagnostics)? = nil
    ) throws(VTError) {
        self.policy = policy
        self.isReadAgain = isReadAgain
        self.diagnostics = diagnostics
        input = try InputFile(opening: path, isReadAgain: isReadAgain)
        self.timing = if let timing { try InputFile(opening: timing, isReadAgain: isReadAgain) } else { nil }
    }

    /// The name in messages: `'x.cast'`, or `standard input`.
    package var name: String { input.name }
    /// The size of the file; nil if it is not a regular file.
    package var byteCount: Int64? { input.byteCount }

    // MARK: - Items

    /// Reads the recording from start to end: the header first, then each event.
    ///
    /// `pause` is called after all available input has been processed, so that results can be written before the next
    /// read blocks.
    ///
    /// - Throws: `data.invalid` with file and line, `io`, and errors thrown by the closures.
    package func read(
        _ body: (RecordingItem) throws(VTError) -> Void,
        pause: () throws(VTError) -> Void = {}
    ) throws(VTError) {
        try forEach(
            { item throws(VTError) in
                try body(item)
                return true
            },
            pause: pause
        )
    }

    /// Reads the recording from its beginning until its end, or until `body` returns false.
    ///
    /// - Throws: The same errors as `read`.
    package func forEach(
        _ body: (RecordingItem) throws(VTError) -> Bool,
        pause: () throws(VTError) -> Void = {}
    ) throws(VTError) {
        if let timing {
            try forEachOfTypescript(timing, body, pause)
        } else {
            try forEachOfAsciicast(body, pause)
        }
    }

    private func forEachOfAsciicast(
        _ body: (RecordingItem) throws(VTError) -> Bool,
        _ pause: () throws(VTError) -> Void
    ) throws(VTError) {
        var reader = AsciicastReader(policy)
        var shouldContinue = true
        try forEachChunk { chunk throws(VTError) in
            if chunk.isEmpty { reader.finish() } else { reader.append(chunk) }
            while shouldContinue, let item = try self.naming({ () throws(VTError) in try reader.next() }) {
                hasHeader = true
                shouldContinue = try body(item)
            }
            if shouldContinue { try pause() }
            return shouldContinue
        }
        isCompressed = reader.isCompressed
        if shouldContinue { finish(reader.notes) }
    }

    private func forEachOfTypescript(
        _ timing: InputFile,
        _ body: (RecordingItem) throws(VTError) -> Bool,
        _ pause: () throws(VTError) -> Void
    ) throws(VTError) {
        if wasRead {
            try input.rewind()
            try timing.rewind()
        }
        wasRead = true
        var reader = TypescriptReader(policy)
        while true {
            while let item = try naming({ () throws(VTError) in try reader.next() }) {
                hasHeader = true
                guard try body(item) else { return }
            }
            try pause()
            switch reader.need {
            case .timing:
                let bytes = try timing.read()
                if bytes.isEmpty { reader.finishTiming() } else { reader.append(timing: bytes) }
            case .typescript:
                let bytes = try nextChunk()
                if bytes.isEmpty { reader.finishTypescript() } else { reader.append(typescript: bytes) }
            case nil:
                finish(reader.notes)
                return
            }
        }
    }

    /// Adds the name of the recording to an error about its contents.
    private func naming<Result>(_ body: () throws(VTError) -> Result) throws(VTError) -> Result {
        do throws(VTError) {
            return try body()
        } catch {
            guard error.code == .dataInvalid else { throw error }
            var error = error
            error.message = "cannot read \(name): \(error.message)"
            if error.hint == nil, policy == .strict, hasHeader {
                error.hint = "add --lenient to skip unreadable lines"
            }
            throw error
        }
    }

    /// Ends a complete pass, and reports the notes if it is the first one.
    private func finish(_ notes: RecordingNotes) {
        self.notes = notes
        guard let diagnostics, !hasReported else { return }
        hasReported = true
        for note in notes.kept.prefix(10) { diagnostics.note("\(name): \(note.text)") }
        if notes.count > 10 { diagnostics.note("\(name): and \(notes.count - 10) more") }
    }

    // MARK: - Bytes

    /// Calls `body` with each chunk of the file, and with an empty one at the end, until `body` returns false.
    private func forEachChunk(_ body: ([UInt8]) throws(VTError) -> Bool) throws(VTError) {
        if wasRead { try input.rewind() }
        wasRead = true
        var shouldContinue = true
        var isAtEnd = false
        // If a pipe is to be read again, the first pass continues to its end, so that all data is kept.
        while !isAtEnd, shouldContinue || (isReadAgain && byteCount == nil) {
            let chunk = try nextChunk()
            isAtEnd = chunk.isEmpty
            if shouldContinue { shouldContinue = try body(chunk) }
        }
    }

    private func nextChunk() throws(VTError) -> [UInt8] {
        let bytes = try input.read(limit: Self.pieceBytes)
        if let progress, let total = byteCount, total > 0 {
            progress("reading \(name): \(input.position * 100 / total)%")
        }
        return bytes
    }

    // MARK: - Playing

    /// Returns the next bytes, or nil at the end, for a recording that is played while it is read.
    ///
    /// Input other than a regular file is read on a separate thread, so that waiting for data can be canceled.
    ///
    /// - Throws: `cancelled`, `io`.
    package func nextBytes() async throws(VTError) -> [UInt8]? {
        if Task.isCancelled { throw .cancelled }
        if byteCount != nil {
            let bytes = try input.read(limit: Self.pieceBytes)
            return bytes.isEmpty ? nil : bytes
        }
        if stream == nil { stream = try input.stream() }
        return try await stream?.read()
    }

    /// Returns to the beginning, so that `nextBytes` starts again.
    ///
    /// - Returns: False if the input is not a regular file.
    package func rewind() throws(VTError) -> Bool {
        guard byteCount != nil else { return false }
        try input.rewind()
        return true
    }
}
