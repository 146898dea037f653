import Core
import Glibc
import POSIX

/// A recording in a file or on standard input whose reading may end early, begin anew, or begin in the middle.
package final class CastSource {
    let policy: RecordingPolicy
    private let path: String
    private let input: InputFile
    private let isReadAgain: Bool
    private let diagnostics: any Diagnostics
    private var wasRead = false
    private var hasNoted = false
    /// Whether the header was read: without one there is nothing to go on with.
    var hasHeader = false

    /// The facts by which a file is known again.
    package struct Identity: Hashable, Sendable {
        package var device: UInt64
        package var inode: UInt64
        package var sizeBytes: Int64
        package var modified: Int64
    }

    /// Takes the word of a command line: the path of a file, or `-`.
    ///
    /// Who wants to read it more than once says so. `diagnostics` hears of lines that are left out.
    ///
    /// - Throws: `not-found`, `io`, and `cannot-create` without a temporary file.
    package init(
        _ word: String,
        policy: RecordingPolicy = .strict,
        isReadAgain: Bool = true,
        _ diagnostics: any Diagnostics
    ) throws(VTError) {
        path = word
        self.policy = policy
        self.isReadAgain = isReadAgain
        self.diagnostics = diagnostics
        input = try InputFile(opening: word, isReadAgain: isReadAgain)
    }

    /// What messages call it: `'web.cast'` or `standard input`.
    package var name: String { input.name }

    /// Nil for what has no name of its own as a file.
    package func identity() throws(VTError) -> Identity? {
        guard path != "-", input.byteCount != nil else { return nil }
        let status = try OpenFile(opening: path, O_RDONLY).status()
        return Identity(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            sizeBytes: Int64(status.st_size),
            // A file may be of any year; that two times fall together takes centuries.
            modified: Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        )
    }

    // MARK: - Items

    /// Calls with the header and the events until the end or until it returns false.
    ///
    /// - Throws: `data.invalid` with file and line, `io`, and what `body` throws.
    package func forEach(_ body: (RecordingItem) throws(VTError) -> Bool) throws(VTError) {
        var reader = CastReader(policy)
        var shouldContinue = true
        try forEachChunk { chunk throws(VTError) in
            if chunk.isEmpty { reader.finish() } else { reader.append(chunk) }
            while shouldContinue, let item = try self.naming({ () throws(VTError) in try reader.next() }) {
                hasHeader = true
                shouldContinue = try body(item)
            }
            return shouldContinue
        }
        if shouldContinue { note(reader.notes) }
    }

    /// Puts the name of the recording in front of what is wrong with it.
    func naming<Result>(_ body: () throws(VTError) -> Result) throws(VTError) -> Result {
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

    /// Tells of lines that were left out, once.
    func note(_ notes: RecordingNotes) {
        guard !hasNoted else { return }
        hasNoted = true
        for note in notes.kept.prefix(10) { diagnostics.note("\(name): \(note.text)") }
        if notes.count > 10 { diagnostics.note("\(name): and \(notes.count - 10) more") }
    }

    // MARK: - Bytes

    /// Calls with the bytes, in the end with none, until it returns false.
    func forEachChunk(_ body: ([UInt8]) throws(VTError) -> Bool) throws(VTError) {
        if wasRead { try input.rewind() }
        wasRead = true
        var shouldContinue = true
        var isAtEnd = false
        // What can be read only once is read to its end, so that all of it is there again.
        while !isAtEnd, shouldContinue || (isReadAgain && input.byteCount == nil) {
            let chunk = try input.read()
            isAtEnd = chunk.isEmpty
            if shouldContinue { shouldContinue = try body(chunk) }
        }
    }

    /// The same, from a byte of the file on; only for what has an identity.
    func forEachChunk(from offset: Int64, _ body: ([UInt8]) throws(VTError) -> Bool) throws(VTError) {
        let file = try FileDescriptor.open(path, O_RDONLY)
        guard lseek(file.number, off_t(offset), SEEK_SET) >= 0 else { throw .system(errno, "cannot read \(name)") }
        while true {
            let chunk = try BlockingIO.read(file.number, limit: 256 << 10)
            guard try body(chunk), !chunk.isEmpty else { return }
        }
    }
}
