import Core
import Runtime
import Synchronization

/// A shell on a server with SFTP that computes digests of files, started when the first one is needed.
///
/// A server that offers only SFTP has no shell.
final class DigestShell: Sendable {
    /// The shell, once it has been started.
    private struct Started {
        let conversation: ShellConversation
        let program: ConversationProgram
        let replies: Task<Bool, Never>
    }

    private let host: any CommandHost
    private let files: SFTPFileSystem
    private let name: String
    private let clock: any Clock<Duration>
    private let started = Mutex<Started?>(nil)

    /// The timeout for the first reply; a program in place of the shell might never reply.
    private static let startTimeout = Duration.seconds(15)

    init(host: any CommandHost, files: SFTPFileSystem, name: String, clock: any Clock<Duration>) {
        self.host = host
        self.files = files
        self.name = name
        self.clock = clock
    }

    /// Returns the SHA-256 digest of a file in hexadecimal; nil if the server cannot compute it.
    ///
    /// - Throws: `cancelled`; file system errors.
    func sha256(of path: ByteString) async throws(VTError) -> String? {
        let shell = start()
        guard await shell.replies.value else { return nil }
        // The shell may start in a different directory than the SFTP server.
        let absolute = try await files.absolutePath(of: path)
        do throws(VTError) {
            return try await shell.conversation.sha256(of: absolute)
        } catch {
            if error.isCancellation { throw error }
            return nil
        }
    }

    /// Ends the shell.
    func close() async {
        guard let shell = started.withLock({ $0 }) else { return }
        await shell.program.stop()
        _ = await shell.replies.value
    }

    /// Starts the shell unless it has already been started.
    private func start() -> Started {
        started.withLock { started in
            if let started { return started }
            let conversation = ShellConversation(name: name)
            let program = ConversationProgram(ExecRequest(.arguments(["sh"])), for: conversation, on: host)
            let shell = Started(
                conversation: conversation,
                program: program,
                replies: Task.onCurrentExecutor { [clock] in await Self.replies(conversation, clock) }
            )
            started = shell
            return shell
        }
    }

    /// Whether the shell replies; if not, the conversation ends.
    private static func replies(_ conversation: ShellConversation, _ clock: any Clock<Duration>) async -> Bool {
        do throws(VTError) {
            let late = VTError(.timedOut, "the shell of '\(conversation.name)' does not reply")
            let reply = try await withTimeout(startTimeout, on: clock, throwing: late) { () async throws(VTError) in
                try await conversation.run(":")
            }
            return reply.status == 0
        } catch {
            conversation.end(error)
            return false
        }
    }
}
