import Core
import Glibc
import POSIX
import Synchronization

/// A recording that another one is added to: events after its last, with their times going on there.
///
/// In the place of the other one's header stands its size, as a resize. A last line that was cut off is removed. What is
/// written to it is an asciicast, of the format that `RecordRequest` has first.
package final class AppendedFile: ByteSink {
    private struct State: ~Copyable {
        var reader = AsciicastReader(.strict)
        var writer: AsciicastWriter
        let base: RecordingTime
    }

    private let file: OpenFile
    private let output: ThreadedOutput
    private let state: Mutex<State>
    /// How long the file was, without a last line that was cut off.
    package let length: Int

    /// Opens a recording that is there.
    ///
    /// - Throws: `not-found`, also for an empty file, `busy` when somebody else adds to it, `data.invalid` when it is none, `usage` for one of
    ///   version 1 or one that is compressed.
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

    /// Removes what was added.
    package func discard() async {
        // Whoever discards has a failure to tell already.
        try? await output.finish()
        file.truncate(to: length)
        file.unlock()
    }
}

/// Where a recording ends, so that another one can go on there.
private struct RecordingEnd {
    var format = AsciicastVersion.v3
    var time = RecordingTime.start
    /// Without a last line that was cut off.
    var length = 0
    /// Whether the last line is whole but for its end.
    var lacksLineEnd = false

    private static let pieceBytes = 256 << 10

    init(of file: borrowing OpenFile) throws(VTError) {
        var reader = AsciicastReader(.strict)
        /// What stands after the last line end.
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
                try take(&reader)
            }
            try takeRest(rest, &reader)
        } catch {
            guard error.code == .dataInvalid else { throw error }
            throw VTError(.dataInvalid, "'\(file.path)': \(error.message)")
        }
        if reader.isCompressed {
            throw VTError(
                .usage,
                "'\(file.path)' is compressed",
                hint: "gunzip \(ByteString(file.path).shellQuoted.repairedText)"
            )
        }
    }

    private mutating func take(_ reader: inout AsciicastReader) throws(VTError) {
        while let item = try reader.next() {
            switch item {
            case .header(let header):
                guard header.version != .v1 else {
                    throw VTError(.usage, "cannot append to a recording of version 1", hint: "vt cast convert")
                }
                format = header.version == .v2 ? .v2 : .v3
            case .event(let event): time = event.time
            }
        }
    }

    private mutating func takeRest(_ rest: [UInt8], _ reader: inout AsciicastReader) throws(VTError) {
        guard !rest.isEmpty else { return }
        reader.append(rest)
        reader.finish()
        do throws(VTError) {
            try take(&reader)
            guard !reader.endsWithinLine else { return }
            length += rest.count
            lacksLineEnd = true
        } catch {
            // Without a line before it, it is the header that cannot be read.
            guard error.code == .dataInvalid, length > 0 else { throw error }
        }
    }
}
