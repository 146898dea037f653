import Core
import Glibc
import Recording

/// A recording in a file or on standard input, which is read from its start as often as is needed.
///
/// Reading blocks. Of what is no file, what was read is kept in a file without a name while that may be needed again.
package final class CastSource {
    /// What messages call it: `'web.cast'` or `standard input`.
    package let name: String
    private let path: String?
    private let diagnostics: any Diagnostics
    let policy: RecordingPolicy
    private let isRegular: Bool
    private var spool: SpoolFile?
    private var hasNoted = false
    private var passes = 0

    private static let chunkBytes = 256 << 10

    /// The facts by which a file is known again.
    package struct Identity: Hashable, Sendable {
        package var device: UInt64
        package var inode: UInt64
        package var sizeBytes: Int64
        package var modified: Int64
    }

    /// Takes the word of a command line: the path of a file, or `-`.
    ///
    /// `diagnostics` hears of lines that are left out, and how far the reading is.
    package init(
        _ word: String,
        policy: RecordingPolicy = .strict,
        _ diagnostics: any Diagnostics
    ) throws(VTError) {
        self.policy = policy
        self.diagnostics = diagnostics
        path = word == "-" ? nil : word
        name = word == "-" ? "standard input" : "'\(word)'"
        guard word != "-" else {
            isRegular = false
            return
        }
        let status = try OpenFile(opening: word, O_RDONLY | O_NONBLOCK).status()
        guard status.st_mode & S_IFMT != S_IFDIR else { throw VTError(.io, "cannot read '\(word)': it is a directory") }
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }

    /// Nil for what is no file.
    package func identity() throws(VTError) -> Identity? {
        guard let path, isRegular else { return nil }
        let status = try OpenFile(opening: path, O_RDONLY).status()
        return Identity(
            device: UInt64(status.st_dev),
            inode: UInt64(status.st_ino),
            sizeBytes: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        )
    }

    // MARK: - Items

    /// Calls with the header and the events until the end or until it returns false.
    ///
    /// `isRepeated`: whether it will be read again.
    package func forEach(
        isRepeated: Bool = false,
        _ body: (RecordingItem) throws(VTError) -> Bool
    ) throws(VTError) {
        var reader = CastReader(policy)
        var goesOn = true
        try forEachChunk(isRepeated: isRepeated) { chunk throws(VTError) in
            if chunk.isEmpty { reader.finish() } else { reader.append(chunk) }
            do throws(VTError) {
                while goesOn, let item = try reader.next() { goesOn = try body(item) }
            } catch {
                throw self.naming(error)
            }
            return goesOn
        }
        if goesOn { note(reader.notes) }
    }

    /// An error of the reader, with the name of the recording.
    func naming(_ error: VTError) -> VTError {
        guard error.code == .dataInvalid else { return error }
        var error = error
        error.message = "cannot read \(name): \(error.message)"
        if error.hint == nil, policy == .strict { error.hint = "with --lenient, what cannot be read is left out" }
        return error
    }

    /// Tells of lines that were left out, once.
    func note(_ notes: RecordingNotes) {
        guard !hasNoted else { return }
        hasNoted = true
        for note in notes.kept.prefix(3) { diagnostics.note("\(name): \(note.text)") }
        if notes.count > 3 { diagnostics.note("\(name): \(notes.count - 3) more lines are not as they should be") }
    }

    // MARK: - Bytes

    /// Calls with the bytes from an offset on, in the end with none, until it returns false.
    func forEachChunk(
        from offset: Int64 = 0,
        isRepeated: Bool = false,
        _ body: ([UInt8]) throws(VTError) -> Bool
    ) throws(VTError) {
        passes += 1
        guard isRegular || passes == 1 else { return try readSpool(from: offset, body) }
        if isRepeated, !isRegular { spool = try SpoolFile() }
        guard let path else { return try read(StandardStream.input.rawValue, body) }
        let file = try FileDescriptor.open(path, O_RDONLY)
        if offset > 0, lseek(file.number, off_t(offset), SEEK_SET) < 0 { throw .system(errno, "cannot read \(name)") }
        try read(file.number, body)
    }

    private func read(_ number: CInt, _ body: ([UInt8]) throws(VTError) -> Bool) throws(VTError) {
        var goesOn = true
        var isAtEnd = false
        // What may be read again is read to its end, whoever asks for it now.
        while !isAtEnd, goesOn || spool != nil {
            let chunk = try readOnce(number)
            isAtEnd = chunk.isEmpty
            if !chunk.isEmpty { try spool?.append(chunk) }
            if goesOn { goesOn = try body(chunk) }
        }
    }

    private func readOnce(_ number: CInt) throws(VTError) -> [UInt8] {
        do throws(VTError) {
            return try BlockingIO.read(number, limit: Self.chunkBytes)
        } catch {
            throw VTError(error.code, "\(name): \(error.message)")
        }
    }

    private func readSpool(from offset: Int64, _ body: ([UInt8]) throws(VTError) -> Bool) throws(VTError) {
        guard let spool else { throw VTError(.internal, "\(name) is read once more") }
        var offset = offset
        while true {
            let chunk = try spool.read(at: offset, limit: Self.chunkBytes)
            guard try body(chunk), !chunk.isEmpty else { return }
            offset += Int64(chunk.count)
        }
    }
}
