import Core
import Glibc
import NIOCore
import POSIX

/// A program whose standard input and output carry a connection.
///
/// It runs in a process group of its own, which is sent TERM when the connection ends; it inherits standard error.
struct ProxyCommand: Sendable {
    let process: ChildProcess
    let channel: any Channel

    /// Starts `/bin/sh -c "exec COMMAND"`, as ssh(1) does; throws `system` on failure.
    static func start(
        _ command: String,
        for name: String,
        environment: [ByteString],
        on eventLoop: any EventLoop
    ) async throws(VTError) -> ProxyCommand {
        let (ours, theirs) = try DescriptorPair.sockets().release()
        let program = FileDescriptor(owning: theirs)
        let spawn = SpawnPlan(arguments: ["/bin/sh", "-c", ByteString("exec \(command)")], environment: environment)
        let process: ChildProcess
        do throws(VTError) {
            process = try ChildProcess.spawn(
                spawn,
                on: .descriptors(input: program.number, output: program.number, errorOutput: 2)
            )
        } catch {
            close(ours)
            throw error
        }
        let channel = try await ConnectedSocket.channel(owning: ours, on: eventLoop, name: name)
        return ProxyCommand(process: process, channel: channel)
    }

    /// Stops the program, if it has not exited with its connection.
    func stop() {
        process.dismiss(SIGTERM)
    }
}
