import Core
import System

/// Runs programs on this machine with the standard streams of this process.
package struct ForegroundProgram: Sendable {
    private let environment: Environment

    /// Programs inherit `environment`.
    package init(environment: Environment) {
        self.environment = environment
    }

    /// Runs a program until it exits.
    ///
    /// The program runs in a new session: it can read a terminal, but keys such as Control-C signal only this process.
    /// If the task is canceled, the program is sent TERM, and KILL if it does not exit.
    ///
    /// - Throws: `not-found` or `system` when the program cannot be started; `VTError.cancelled`.
    package func run(_ request: ExecRequest) async throws(VTError) -> ExitStatus {
        let child = try ChildProcess.spawn(
            try SpawnPlan(for: request, inheriting: environment.words),
            on: .descriptors(
                input: StandardStream.input.rawValue,
                output: StandardStream.output.rawValue,
                errorOutput: StandardStream.errorOutput.rawValue
            )
        )
        let result = await withTaskCancellationHandler {
            await Result { () async throws(VTError) in try await child.wait() }
        } onCancel: {
            LocalMachine.end(child)
        }
        if Task.isCancelled { throw .cancelled }
        return try result.get()
    }
}
