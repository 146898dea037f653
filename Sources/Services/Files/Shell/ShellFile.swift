import Core
import Runtime
import Synchronization
import System

/// A file that is read or written sequentially from an offset, by a program that is started when the first bytes are
/// transferred.
final class ShellFile: RandomAccessFile {
    private let system: ShellFileSystem
    private let path: ByteString
    private let isReading: Bool
    /// The bytes on their way from or to the program.
    private let pipe = BytePipe()
    private let program = Mutex<Task<VTError?, Never>?>(nil)
    /// Bytes that have been received but not yet returned.
    private let rest = Mutex<ArraySlice<UInt8>>([])

    let isSequential = true

    private static let messageLimitBytes = 4096

    init(_ system: ShellFileSystem, _ path: ByteString, reading isReading: Bool) {
        self.system = system
        self.path = path
        self.isReading = isReading
    }

    func read(at offset: UInt64, limit: Int) async throws(VTError) -> [UInt8] {
        guard isReading else { throw VTError(.internal, "the file is open only for writing") }
        start(
            #"if [ "$2" = 1 ]; then exec cat <"$1"; else exec tail -c "+$2" <"$1"; fi"#,
            [path, ByteString("\(offset + 1)")]
        )
        var bytes = rest.withLock { $0 }
        if bytes.isEmpty { bytes = try await pipe.read().map { $0[...] } ?? [] }
        rest.withLock { [bytes] in $0 = bytes.dropFirst(limit) }
        return Array(bytes.prefix(limit))
    }

    /// The offset of the first write must be a multiple of `FileChunk.bytes`.
    func write(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) {
        guard !isReading else { throw VTError(.internal, "the file is open only for reading") }
        // dd(1) writes whatever it has read, so short reads from the pipe do not matter.
        start(
            #"if [ "$2" = 0 ]; then exec cat >"$1"; fi; exec dd of="$1" bs="$3" seek="$2" conv=notrunc 2>/dev/null"#,
            [path, ByteString("\(offset / UInt64(FileChunk.bytes))"), ByteString("\(FileChunk.bytes)")]
        )
        try await pipe.write(bytes)
    }

    func data(from offset: UInt64) async throws(VTError) -> Range<UInt64>? {
        offset..<UInt64.max
    }

    func attributes() async throws(VTError) -> FileAttributes {
        guard let attributes = try await system.attributes(of: path, followsLinks: true) else {
            throw VTError(.notFound, "'\(path.repairedText)' does not exist")
        }
        return attributes
    }

    func close(after changes: FileAttributeChanges, needsAttributes _: Bool) async throws(VTError) -> ClosedFile {
        try await finish()
        guard !isReading else { return ClosedFile() }
        var closed = ClosedFile()
        do throws(VTError) {
            try await system.change(path, to: changes)
        } catch {
            guard error.code == .cannotCreate else { throw error }
            closed.failedChange = error
        }
        closed.attributes = try await system.attributes(of: path, followsLinks: false)
        return closed
    }

    // MARK: - The program

    /// Starts the program, sh(1) with a script and its arguments, unless it has already been started.
    private func start(_ script: ByteString, _ words: [ByteString]) {
        program.withLock { program in
            guard program == nil else { return }
            let request = ExecRequest(.arguments(["sh", "-c", "cd 2>/dev/null; " + script, "vt"] + words))
            // Not a child task, because it runs until the file is closed.
            program = Task.onCurrentExecutor {
                let failure = await self.outcome(of: request)
                self.pipe.end(failure)
                return failure
            }
        }
    }

    /// Waits for the end of the program; ends it first if its output is not needed, or the task has been canceled.
    ///
    /// - Throws: `io` if the program has failed; connection errors.
    private func finish() async throws(VTError) {
        guard let program = program.withLock({ $0 }) else { return }
        pipe.end()
        if isReading || Task.isCancelled { program.cancel() }
        let failure = await program.value
        if !isReading, let failure { throw failure }
    }

    private func outcome(of request: ExecRequest) async -> VTError? {
        let messages = BoundedSink(limitBytes: Self.messageLimitBytes)
        let streams = ProgramStreams(
            input: isReading ? BytesSource() : pipe,
            output: isReading ? pipe : messages,
            errorOutput: messages
        )
        do throws(VTError) {
            let status = try await system.host.run(request, streams: streams)
            guard !status.isSuccess else { return nil }
            let lines = messages.text.split(whereSeparator: \.isNewline).map(String.init)
            let what = "cannot \(isReading ? "read" : "write") '\(path.repairedText)' on '\(system.shell.name)'"
            return VTError(.io, "\(what): \(lines.last ?? status.phrase)", causes: lines)
        } catch {
            return error
        }
    }
}
