import Core
import Glibc
import POSIX

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
        let plan = SpawnPlan(arguments: [ByteString(program)] + arguments, environment: environment)
        let streams = SpawnPlan.Streams.descriptors(input: input.number, output: 1, errorOutput: 2)
        let process = try ChildProcess.spawn(plan, on: streams)
        _ = consume input
        do throws(VTError) {
            guard try await ThreadedInput(pipe.number).read() == nil else { return nil }
            return try await process.wait()
        } catch {
            process.dismiss(SIGTERM)
            throw error
        }
    }

    package func reportReady(keepsOutput: Bool) throws(VTError) {
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        var status = stat()
        guard unsafe fstat(0, &status) == 0, status.st_mode & S_IFMT == S_IFIFO, BlockingIO.write(0, [0]) == 0 else {
            throw VTError(.config, "this command is for internal use only")
        }
        dup2(null.number, 0)
        guard !keepsOutput else { return }
        dup2(null.number, 1)
        dup2(null.number, 2)
    }
}
