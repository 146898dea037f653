import Core
import Synchronization

/// A far end that is reached through the standard streams of a program, which is started once per command.
///
/// The program is started before its command is known, so that an unreachable far end is reported as a connection
/// error.
final class ViaHost: RemoteHost {
    /// How the far end is reached.
    struct Link: Sendable {
        /// The name in messages.
        let name: String
        let command: ViaCommand
        /// How long the program may take to start a shell at the far end.
        let connectTimeout: Duration
        /// Runs the program.
        let machine: any CommandHost
        /// Runs the task that transfers the program's data.
        let executor: any TaskExecutor
        let clock: any Clock<Duration>
        let observer: any ConnectionObserver
    }

    private let link: Link
    /// The shell for the next command; nil once it has been used.
    private let waiting: Mutex<FarShell?>

    init(_ link: Link, waiting: FarShell) {
        self.link = link
        self.waiting = Mutex(waiting)
    }

    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        let status = try await shell(terminal: request.terminal).run(request, streams: streams)
        // A canceled program is terminated, so its status results from the cancellation.
        guard !Task.isCancelled else { throw .cancelled }
        return status
    }

    func close() async {
        await takeWaiting()?.stop()
    }

    /// Returns the waiting shell if it has the requested terminal, otherwise a new one.
    private func shell(terminal: ExecRequest.Terminal?) async throws(VTError) -> FarShell {
        if let shell = takeWaiting() {
            if shell.terminal == terminal { return shell }
            await shell.stop()
        }
        return try await FarShell.start(over: link, terminal: terminal)
    }

    private func takeWaiting() -> FarShell? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}
