import Core
import Runtime
import System

/// A program that makes images.
struct ImageProgram: Sendable {
    let name: String
    /// The Debian package that contains the program.
    let package: String
    /// What is rendered, such as "a GIF".
    let product: String
    let environment: Environment
    let clock: any Clock<Duration>

    /// Runs the program in a directory with `input` as standard input, and returns its standard output.
    ///
    /// - Throws: `not-found` when the program is missing; `io` when it fails; `timed-out`.
    @discardableResult
    func run(
        _ arguments: [String],
        input: [UInt8] = [],
        in directory: String? = nil,
        limit: Int = ChildProcess.captureLimit,
        timeout: Duration
    ) async throws(VTError) -> [UInt8] {
        let plan = SpawnPlan(
            arguments: ([name] + arguments).map { ByteString($0) },
            environment: environment.words,
            directory: directory
        )
        let capture: ChildProcess.Capture
        do throws(VTError) {
            capture = try await ChildProcess.capture(plan, input: input, limit: limit, timeout: timeout, on: clock)
        } catch {
            guard error.code == .notFound else { throw error }
            throw VTError(
                .notFound,
                "'\(name)' is required to render \(product), but it is not installed",
                hint: "install the package \(package)"
            )
        }
        if Task.isCancelled { throw .cancelled }
        guard capture.status == .exited(0) else {
            throw VTError(.io, "'\(name)' failed with status \(capture.status.shellStatus)")
        }
        return capture.output
    }
}
