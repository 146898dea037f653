import Core
import Glibc
import Runtime
import System

/// Continues a command in another process of the same program.
///
/// Standard input of the new process is a pipe, over which it reports that it is ready.
package struct BackgroundProgram: Sendable {
    private let environment: Environment

    /// `environment` is the environment of the new process.
    package init(environment: Environment) {
        self.environment = environment
    }

    /// Starts vt with other arguments and without standard input; returns once the new process is ready.
    ///
    /// Until then, the new process can use the controlling terminal, and this process stops whenever it does. Returns
    /// the exit status if the process exits before it is ready, otherwise nil. If the task is canceled, the process is
    /// terminated.
    ///
    /// - Throws: `system` when the process cannot be started.
    package func start(_ arguments: [ByteString]) async throws(VTError) -> ExitStatus? {
        let (ours, theirs) = try DescriptorPair.pipe().release()
        let pipe = FileDescriptor(owning: ours)
        let input = FileDescriptor(owning: theirs)
        var plan = SpawnPlan(arguments: [ByteString(OwnProgram.path)] + arguments, environment: environment.words)
        // In a new session, or in the background of the terminal, the process could not ask for a password.
        plan.sharesSession = true
        let streams = SpawnPlan.Streams.descriptors(input: input.number, output: 1, errorOutput: 2)
        let process = try ChildProcess.spawn(plan, on: streams)
        _ = consume input
        do throws(VTError) {
            try process.stopTogether()
            guard try await ThreadedInput(pipe.number).read() == nil else { return nil }
        } catch {
            LocalMachine.end(process)
            // The process might have to restore the terminal.
            _ = try await process.wait()
            throw error
        }
        return try await process.wait()
    }

    private static var misuse: VTError { VTError(.config, "this command is for internal use only") }

    /// Moves this process to a new session, and lets `start` return; called in the process that it started.
    ///
    /// Unless `keepsOutput` is true, standard output and standard error are redirected to `/dev/null`, so that they do
    /// not keep a pipe open.
    ///
    /// - Throws: `config` when the process was not started by `start`.
    package static func reportReady(keepsOutput: Bool) throws(VTError) {
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        var status = stat()
        guard unsafe fstat(0, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { throw misuse }
        // Without a controlling terminal, the process survives when the terminal disappears.
        setsid()
        guard BlockingIO.write(0, [0]) == 0 else { throw misuse }
        dup2(null.number, 0)
        guard !keepsOutput else { return }
        dup2(null.number, 1)
        dup2(null.number, 2)
    }
}
