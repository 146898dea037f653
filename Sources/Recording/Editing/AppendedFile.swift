import Core
import Glibc
import Runtime
import Synchronization
import System

/// Appends a recording to an existing one, shifting its times so that they continue from the last existing event.
///
/// The appended recording's header is replaced by a resize event with its size. An incomplete last line of the existing
/// file is removed. The data written must be an asciicast in the default format of `RecordRequest`.
package final class AppendedFile: ByteSink {
    private struct State: ~Copyable {
        var reader = AsciicastReader(.strict)
        var writer: AsciicastWriter
        let base: RecordingTime
    }

    private let file: OpenFile
    private let output: ThreadedOutput
    private let state: Mutex<State>
    /// The length of the file when it was opened, excluding an incomplete last line.
    package let length: Int

    /// Opens an existing recording.
    ///
    /// - Throws: `not-found` when the file does not exist or is empty, `cannot-create` when it is not a regular file,
    ///   `busy` when another process is appending to it, `data.invalid` when it is not a recording, `usage` for
    ///   version 1 or a compressed file.
    package init(_ path: String) throws(VTError) {
        let file = try OpenFile(opening: path, O_RDWR | O_APPEND | O_NOFOLLOW)
        guard try file.status().st_mode & S_IFMT == S_IFREG else {
            throw VTError(.cannotCreate, "'\(path)' is not a regular file")
        }
        guard try file.tryLock() else { throw VTError(.busy, "another process is appending to '\(path)'") }
        guard try file.status().st_size > 0 else { throw VTError(.notFound, "'\(path)' is empty") }
        let end = try RecordingEnd(of: file)
        length = end.length
        file.truncate(to: end.length)
        if end.lacksLineEnd { try file.writeAll([UInt8(ascii: "\n")]) }
        let writer = AsciicastWriter(end.format, after: end.time)
        state = Mutex(State(writer: writer, base: end.time))
        output = ThreadedOutput(try file.duplicate().release(), name: "'\(path)'", closesDescriptor: true)
        self.file = file
    }

    package func write(_ bytes: [UInt8]) async throws(VTError) {
        let taken = try state.withLock { state throws(VTError) in
            state.reader.append(bytes)
            while let item = try state.reader.next() {
                switch item {
                case .header(let header):
                    state.writer.write(RecordingEvent(time: state.base, .resize(header.size)))
                case .event(var event):
                    event.time = state.base + event.time
                    state.writer.write(event)
                }
            }
            return state.writer.take()
        }
        if !taken.isEmpty { try await output.write(taken) }
    }

    package func finish() async throws(VTError) {
        try await output.finish()
        file.unlock()
    }

    /// Removes the appended data, and unlocks the file.
    package func discard() async {
        // This error is ignored, because the caller already has one to report.
        try? await output.finish()
        file.truncate(to: length)
        file.unlock()
    }
}

/// The end of a recording, where another one can be appended.
private struct RecordingEnd {
    var format = AsciicastVersion.v3
    var time = RecordingTime.start
    /// The length of the recording in bytes, excluding an incomplete last line.
    var length = 0
    /// Whether the last line is complete except for its line feed.
    var lacksLineEnd = false
    private var hasHeader = false

    private static let pieceBytes = 256 << 10

    init(of file: borrowing OpenFile) throws(VTError) {
        var reader = AsciicastReader(.strict)
        /// The bytes after the last line feed.
        var rest: [UInt8] = []
        do throws(VTError) {
            while true {
                let bytes = try file.read(limit: Self.pieceBytes)
                guard !bytes.isEmpty else { break }
                guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
                    rest += bytes
                    guard rest.count <= AsciicastReader.lineLimit else {
                        throw VTError(.dataInvalid, "a line is longer than \(AsciicastReader.lineLimit >> 20) MiB")
                    }
                    continue
                }
                reader.append(rest + bytes[...last])
                length += rest.count + last + 1
                rest = Array(bytes[(last + 1)...])
                try read(&reader)
            }
            try readRest(rest, &reader)
        } catch {
            guard error.code == .dataInvalid || error.code == .usage else { throw error }
            var error = error
            error.message = "'\(file.path)': \(error.message)"
            throw error
        }
        if reader.isCompressed {
            throw VTError(
                .usage,
                "cannot append to '\(file.path)': the file is compressed",
                hint: "decompress it first: gunzip \(ByteString(file.path).shellQuoted.repairedText)"
            )
        }
    }

    private mutating func read(_ reader: inout AsciicastReader) throws(VTError) {
        while let item = try reader.next() {
            switch item {
            case .header(let header):
                guard header.version != .v1 else {
                    throw VTError(
                        .usage,
                        "cannot append to a version 1 recording",
                        hint: "to convert it, use 'vt cast convert FILE -o NEWFILE'"
                    )
                }
                format = header.version == .v2 ? .v2 : .v3
                hasHeader = true
            case .event(let event): time = event.time
            }
        }
    }

    private mutating func readRest(_ rest: [UInt8], _ reader: inout AsciicastReader) throws(VTError) {
        reader.append(rest)
        reader.finish()
        do throws(VTError) {
            try read(&reader)
            guard !rest.isEmpty, !reader.endsWithinLine else { return }
            length += rest.count
            lacksLineEnd = true
        } catch {
            // An invalid last line is removed, unless the header is invalid.
            guard error.code == .dataInvalid, hasHeader else { throw error }
        }
    }
}
