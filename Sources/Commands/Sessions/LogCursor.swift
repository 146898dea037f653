import Core
import Services
import System

/// The position of a consumer of a session's output, in a file.
struct LogCursor: Sendable {
    private let path: String
    private let session: SessionID
    /// The offset of the first byte that has not been delivered.
    let offset: UInt64

    /// Reads the file; the position of a new file is the start of the output.
    ///
    /// - Throws: `config` when the file is not a cursor, or belongs to another session.
    init(_ path: String, of session: Session) throws(VTError) {
        self.path = path
        self.session = session.id
        guard let bytes = try FileContents.read(path), !bytes.isEmpty else {
            offset = 0
            return
        }
        guard let outline = try? JSONOutlineParser.parse(bytes),
            let id = outline.member("session")?.string(in: bytes),
            let offset: UInt64 = outline.member("offset")?.integer(in: bytes)
        else {
            throw VTError(
                .config,
                "'\(path)' is not a cursor file",
                hint: "use another file, or remove it to start over"
            )
        }
        guard id == session.id.text else {
            throw VTError(
                .config,
                "the cursor in '\(path)' belongs to session \(id), not to '\(session.name)' (\(session.id.text))",
                hint: "use another file, or remove it to start at the beginning of the output"
            )
        }
        self.offset = offset
    }

    /// Replaces the file.
    func write(_ offset: UInt64) throws(VTError) {
        var writer = JSONWriter()
        writer.object { object in
            object.member("session", session.text)
            object.member("offset", offset)
        }
        let file: AtomicFile
        do throws(VTError) {
            file = try AtomicFile(at: path, replaces: true)
        } catch {
            throw VTError(error.code, error.message, hint: "use another name for the file of the cursor")
        }
        try file.write(writer.bytes + [UInt8(ascii: "\n")])
        // After a power failure, an older cursor repeats output; none is missed.
        try file.commit(isDurable: false)
    }
}
