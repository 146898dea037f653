import Core
import Glibc
import NIOCore
import Runtime
import System

/// A program whose standard input and output carry a connection.
///
/// It runs in its own process group, which is sent TERM when the connection ends; it inherits standard error.
struct ProxyCommand: Sendable {
    let process: ChildProcess
    let channel: any Channel

    /// Starts `SHELL -c "exec COMMAND"` with pipes, as ssh(1) does; throws `system` on failure.
    ///
    /// SHELL is that of the environment, or else `/bin/sh`.
    static func start(
        _ command: String,
        for name: String,
        environment: [ByteString],
        on eventLoop: any EventLoop
    ) async throws(VTError) -> ProxyCommand {
        let prefix = Array("SHELL=".utf8)
        let shell = environment.last { $0.bytes.starts(with: prefix) }.map { $0.bytes.dropFirst(prefix.count) } ?? []
        let spawn = SpawnPlan(
            arguments: [shell.isEmpty ? "/bin/sh" : ByteString(shell), "-c", ByteString("exec \(command)")],
            environment: environment
        )
        let toProgram = try DescriptorPair.pipe()
        let fromProgram = try DescriptorPair.pipe()
        let process = try ChildProcess.spawn(
            spawn,
            on: .descriptors(
                input: toProgram.first.number,
                output: fromProgram.second.number,
                errorOutput: 2
            )
        )
        let channel = try await eventLoop.channel(
            reading: fromProgram.releaseFirst(),
            writing: toProgram.releaseSecond(),
            name: name
        )
        return ProxyCommand(process: process, channel: channel)
    }

    /// How long a program whose connection has ended may take to exit.
    private static let exitTimeout = Duration.milliseconds(500)

    /// Returns the error for a program whose failure ended the connection early; nil if the program did not fail.
    func failure(after error: VTError, for name: String, on clock: some Clock<Duration>) async -> VTError? {
        guard error.isTransient else { return nil }
        let process = process
        let status = try? await withTimeout(Self.exitTimeout, on: clock, throwing: error) { () async throws(VTError) in
            try await process.observeExit()
        }
        guard let status, !status.isSuccess else { return nil }
        return VTError(
            .hostUnreachable,
            "the proxy command of '\(name)' failed: \(status.phrase)",
            causes: [error.message] + error.causes
        )
    }

    /// Stops the program, if it has not exited with its connection.
    func stop() {
        process.dismiss(SIGTERM)
    }
}
