import Core
import System

extension LocalMachine: ForegroundRunner {
    package func run(_ request: ExecRequest) async throws(VTError) -> ExitStatus {
        let child = try ChildProcess.spawn(
            try plan(for: request),
            on: .descriptors(
                input: StandardStream.input.rawValue,
                output: StandardStream.output.rawValue,
                errorOutput: StandardStream.errorOutput.rawValue
            )
        )
        let result = await withTaskCancellationHandler {
            await Self.end(of: child)
        } onCancel: {
            Self.end(child)
        }
        if Task.isCancelled { throw .cancelled }
        return try result.get()
    }

    private static func end(of child: ChildProcess) async -> Result<ExitStatus, VTError> {
        do throws(VTError) {
            return .success(try await child.wait())
        } catch {
            return .failure(error)
        }
    }
}
