import Core
import Runtime
import SFTP
import Synchronization

/// A shell on a server with SFTP that computes digests of files, started when the first one is needed.
///
/// A server that offers only SFTP has no shell.
final class DigestShell: Sendable {
    private let host: any CommandHost
    private let files: SFTPFileSystem
    private let conversation: ShellConversation
    private let clock: any Clock<Duration>
    private let isUsable = Mutex<Task<Bool, Never>?>(nil)
    /// The run of the shell, which ends with the conversation or is canceled.
    private let program = Mutex<Task<Void, Never>?>(nil)

    /// The timeout for the first reply; a program in place of the shell might never reply.
    private static let startTimeout = Duration.seconds(15)

    init(host: any CommandHost, files: SFTPFileSystem, name: String, clock: any Clock<Duration>) {
        self.host = host
        self.files = files
        self.clock = clock
        conversation = ShellConversation(name: name)
    }

    /// Returns the SHA-256 digest of a file in hexadecimal; nil if the server cannot compute it.
    ///
    /// - Throws: `cancelled`; file system errors.
    func sha256(of path: ByteString) async throws(VTError) -> String? {
        guard await start() else { return nil }
        // The shell may start in a different directory than the SFTP server.
        let absolute = try await files.absolutePath(of: path)
        do throws(VTError) {
            return try await conversation.sha256(of: absolute)
        } catch {
            if error.isCancellation { throw error }
            return nil
        }
    }

    /// Ends the shell.
    func close() async {
        let start = isUsable.withLock { $0 }
        conversation.end(.cancelled)
        _ = await start?.value
        let program = program.withLock { $0 }
        program?.cancel()
        await program?.value
    }

    /// Starts the shell unless it has already been started; returns whether it replies.
    private func start() async -> Bool {
        let start = isUsable.withLock { start in
            let task = start ?? Task.onCurrentExecutor { await self.isReplying() }
            start = task
            return task
        }
        return await start.value
    }

    private func isReplying() async -> Bool {
        let streams = ProgramStreams(
            input: conversation,
            output: conversation,
            errorOutput: BoundedSink(limitBytes: 0)
        )
        let program = Task.onCurrentExecutor { [conversation, host] in
            do throws(VTError) {
                _ = try await host.run(ExecRequest(.arguments(["sh"])), streams: streams)
                conversation.end(VTError(.protocolViolation, "the shell on '\(conversation.name)' exited"))
            } catch {
                conversation.end(error)
            }
        }
        self.program.withLock { $0 = program }
        do throws(VTError) {
            let late = VTError(.timedOut, "the shell of '\(conversation.name)' does not reply")
            let reply = try await withTimeout(Self.startTimeout, on: clock, throwing: late) {
                () async throws(VTError) in
                try await self.conversation.run(":")
            }
            return reply.status == 0
        } catch {
            conversation.end(error)
            return false
        }
    }
}
