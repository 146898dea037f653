import Core
import Synchronization

/// A far end that is reached through the standard streams of a program, which is started once per command.
///
/// The program is started before its command is known, so that an unreachable far end is reported as a connection
/// error.
package final class ViaHost: RemoteHost {
    /// How the far end is reached.
    struct Link: Sendable {
        let plan: ProgramPlan
        /// Runs the program.
        let machine: any CommandHost
        /// Runs the task that transfers the program's data.
        let executor: any TaskExecutor
        let clock: any Clock<Duration>
        let observer: ConnectionObserver
    }

    private let link: Link
    /// The shell for the next command; nil once it has been used.
    private let waiting: Mutex<FarShell?>

    private init(_ link: Link, waiting: FarShell) {
        self.link = link
        self.waiting = Mutex(waiting)
    }

    /// Starts the program of a plan on `machine`; `executor` runs the tasks that transfer its data.
    ///
    /// - Throws: `host.unreachable` if it starts no shell at the far end within the plan's limit; `system`.
    package static func connect(
        _ plan: ProgramPlan,
        on machine: any CommandHost,
        executor: any TaskExecutor,
        clock: any Clock<Duration>,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> ViaHost {
        let link = Link(plan: plan, machine: machine, executor: executor, clock: clock, observer: observer)
        return ViaHost(link, waiting: try await FarShell.start(over: link, terminal: plan.terminal))
    }

    package func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        let shell = try await beforeStart { () async throws(VTError) in try await self.shell(terminal: request.terminal)
        }
        let status = try await shell.run(request, streams: streams)
        // A canceled program is terminated, so its status results from the cancellation.
        guard !Task.isCancelled else { throw .cancelled }
        return status
    }

    package func close() async {
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
