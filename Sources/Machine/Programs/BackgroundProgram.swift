import Core
import Glibc
import Runtime
import System

/// Continues a command in another process of the same program.
///
/// Standard input of the new process is a pipe, over which it reports that it is ready.
package struct BackgroundProgram: BackgroundRunner {
    private let program: String
    private let environment: [ByteString]

    /// `program` is the path of vt; `environment` is the environment of the new process, as `NAME=VALUE` words.
    package init(program: String, environment: [ByteString]) {
        self.program = program
        self.environment = environment
    }

    package func start(_ arguments: [ByteString]) async throws(VTError) -> ExitStatus? {
        let (ours, theirs) = try DescriptorPair.pipe().release()
        let pipe = FileDescriptor(owning: ours)
        let input = FileDescriptor(owning: theirs)
        var plan = SpawnPlan(arguments: [ByteString(program)] + arguments, environment: environment)
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

    package func reportReady(keepsOutput: Bool) throws(VTError) {
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        var status = stat()
        guard unsafe fstat(0, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { throw Self.misuse }
        // Without a controlling terminal, the process survives when the terminal disappears.
        setsid()
        guard BlockingIO.write(0, [0]) == 0 else { throw Self.misuse }
        dup2(null.number, 0)
        guard !keepsOutput else { return }
        dup2(null.number, 1)
        dup2(null.number, 2)
    }
}
