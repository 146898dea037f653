import Core
import Glibc
import System

/// Runs the commands of `Match exec` (ssh_config(5)).
struct SSHConfigProgram {
    /// How long a command may run; ssh has no such limit.
    private static let timeout = Duration.seconds(60)
    /// How long to wait before looking again whether a command has ended.
    private static let pause = Duration.milliseconds(5)

    let account: Account
    let environment: Environment

    /// Returns whether the command, which `SHELL` interprets, exits with status 0; its output is discarded.
    ///
    /// - Throws: `timed-out`, after which the command is killed, and `VTError.cancelled`; `config` if a signal ended it; errors thrown by `spawn`.
    func succeeds(_ command: String) throws(VTError) -> Bool {
        let shell = environment["SHELL"].flatMap { $0.isEmpty ? nil : $0 } ?? "/bin/sh"
        let plan = SpawnPlan(
            arguments: [shell, "-c", command].map { ByteString($0) },
            environment: environment.words
        )
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        let streams = SpawnPlan.Streams.descriptors(
            input: null.number,
            output: null.number,
            errorOutput: null.number
        )
        let child = try ChildProcess.spawn(plan, on: streams)
        let end = ContinuousClock.now.advanced(by: Self.timeout)
        while true {
            if let status = child.statusIfEnded() {
                if case .exited(let code) = status { return code == 0 }
                throw VTError(.config, "the command '\(command)' was ended by a signal")
            }
            guard !Task.isCancelled, ContinuousClock.now < end else { break }
            blockThread(for: Self.pause)
        }
        child.dismiss(SIGKILL)
        if Task.isCancelled { throw .cancelled }
        throw VTError(.timedOut, "the command '\(command)' did not end within \(Self.timeout.shortText)")
    }
}
