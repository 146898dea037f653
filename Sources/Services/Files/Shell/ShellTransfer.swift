import Core
import Runtime
import Synchronization

/// A program at the far end that reads or writes a file, started when the first bytes are needed.
final class ShellTransfer: Sendable {
    /// The bytes on their way from or to the program.
    let pipe = BytePipe()

    private let system: ShellFileSystem
    private let what: String
    private let isReading: Bool
    private let program = Mutex<Task<VTError?, Never>?>(nil)

    private static let messageLimitBytes = 4096

    /// `what` is the failure in messages, such as `cannot read 'x'`.
    init(_ system: ShellFileSystem, reading isReading: Bool, what: String) {
        self.system = system
        self.isReading = isReading
        self.what = what
    }

    /// Starts the program, sh(1) with a script and its arguments, unless it has already been started.
    func start(_ script: ByteString, _ words: [ByteString]) {
        program.withLock { program in
            guard program == nil else { return }
            let request = ExecRequest(.arguments(["sh", "-c", "cd 2>/dev/null; " + script, "vt"] + words))
            // Not a child task, because it runs until the file is closed.
            program = Task.onCurrentExecutor { await self.run(request) }
        }
    }

    /// Waits for the end of the program; ends it first if its output is not needed, or the task has been canceled.
    ///
    /// - Throws: `io` if the program has failed; connection errors.
    func finish() async throws(VTError) {
        guard let program = program.withLock({ $0 }) else { return }
        pipe.end()
        if isReading || Task.isCancelled { program.cancel() }
        let failure = await program.value
        if !isReading, let failure { throw failure }
    }

    private func run(_ request: ExecRequest) async -> VTError? {
        let failure = await outcome(of: request)
        pipe.end(failure)
        return failure
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
            return VTError(.io, "\(what) on '\(system.shell.name)': \(lines.last ?? status.phrase)", causes: lines)
        } catch {
            return error
        }
    }
}
