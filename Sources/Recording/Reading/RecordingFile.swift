import Core
import POSIX

/// A recording in a file or on standard input, read item by item.
package final class RecordingFile {
    /// What was left out or changed in the last reading.
    package private(set) var notes = RecordingNotes()
    /// Whether the file is compressed; known once it was read.
    package private(set) var isCompressed = false
    /// Hears how far a reading is.
    package var progress: ((String) -> Void)?

    private let input: InputFile
    private let timing: InputFile?
    private let policy: RecordingPolicy
    private var wasRead = false
    private var hasHeader = false

    /// Opens a recording; `-` is standard input.
    ///
    /// With `timing` it is a typescript of script(1), and that the path of its timing file. Who wants to read it more
    /// than once says so.
    ///
    /// - Throws: `not-found`, `io`, and `cannot-create` without a temporary file.
    package init(
        opening path: String,
        timing: String? = nil,
        policy: RecordingPolicy = .strict,
        isReadAgain: Bool = false
    ) throws(VTError) {
        input = try InputFile(opening: path, isReadAgain: isReadAgain)
        self.timing = if let timing { try InputFile(opening: timing, isReadAgain: isReadAgain) } else { nil }
        self.policy = policy
    }

    /// What messages call it: `'x.cast'`, or `standard input`.
    package var name: String { input.name }
    /// The size of the file; nil for what is no regular file.
    package var byteCount: Int64? { input.byteCount }

    /// Reads the recording from its beginning to its end: the header first, then each event.
    ///
    /// `pause` comes when all that was at hand is read, so that it may be passed on before more comes.
    ///
    /// - Throws: `data.invalid` with file and line, `io`, and what the closures throw.
    package func read(
        _ take: (RecordingItem) throws(VTError) -> Void,
        pause: () throws(VTError) -> Void = {}
    ) throws(VTError) {
        if wasRead {
            try input.rewind()
            try timing?.rewind()
        }
        wasRead = true
        if let timing {
            try readTypescript(timing, take, pause)
        } else {
            try readCast(take, pause)
        }
    }

    private func readCast(
        _ take: (RecordingItem) throws(VTError) -> Void,
        _ pause: () throws(VTError) -> Void
    ) throws(VTError) {
        var reader = CastReader(policy)
        var isEnded = false
        while !isEnded {
            let bytes = try nextBytes(input)
            isEnded = bytes.isEmpty
            if isEnded { reader.finish() } else { reader.append(bytes) }
            while let item = try next({ () throws(VTError) in try reader.next() }) { try take(item) }
            try pause()
        }
        notes = reader.notes
        isCompressed = reader.isCompressed
    }

    private func readTypescript(
        _ timing: InputFile,
        _ take: (RecordingItem) throws(VTError) -> Void,
        _ pause: () throws(VTError) -> Void
    ) throws(VTError) {
        var reader = TypescriptReader(policy)
        while true {
            while let item = try next({ () throws(VTError) in try reader.next() }) { try take(item) }
            try pause()
            switch reader.need {
            case .timing:
                let bytes = try timing.read()
                if bytes.isEmpty { reader.finishTiming() } else { reader.append(timing: bytes) }
            case .typescript:
                let bytes = try nextBytes(input)
                if bytes.isEmpty { reader.finishTypescript() } else { reader.append(typescript: bytes) }
            case nil:
                notes = reader.notes
                return
            }
        }
    }

    private func nextBytes(_ input: InputFile) throws(VTError) -> [UInt8] {
        let bytes = try input.read()
        if let progress, let total = input.byteCount, total > 0 {
            progress("reading \(name): \(input.position * 100 / total) %")
        }
        return bytes
    }

    /// Puts the name of the file in front of what is wrong with it.
    private func next(_ body: () throws(VTError) -> RecordingItem?) throws(VTError) -> RecordingItem? {
        do throws(VTError) {
            let item = try body()
            if case .header = item { hasHeader = true }
            return item
        } catch {
            guard error.code == .dataInvalid else { throw error }
            var error = error
            error.message = "cannot read \(name): \(error.message)"
            // Without a header there is nothing to go on with.
            if error.hint == nil, policy == .strict, hasHeader {
                error.hint = "add --lenient to skip unreadable lines"
            }
            throw error
        }
    }
}
