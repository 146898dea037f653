import Core
import Runtime
import Services
import Synchronization

/// Writes the output of each target to separate files, and the results to `status.json` at the end.
final class FileFormatter: ExecFormatter {
    private let directory: OutputDirectory
    /// Failures to create a target's files, by target name.
    private let failures = Mutex<[String: VTError]>([:])
    private let results = Mutex<[ExecResult]>([])

    init(_ directory: OutputDirectory) {
        self.directory = directory
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        do throws(VTError) {
            return (
                try directory.sink(OutputDirectory.outputName(of: job)),
                try directory.sink(OutputDirectory.errorOutputName(of: job))
            )
        } catch {
            failures.withLock { $0[job.name] = error }
            let rejecting = CallbackSink { _ throws(VTError) in throw error }
            return (rejecting, rejecting)
        }
    }

    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError) {
        if let failure = failures.withLock({ $0.removeValue(forKey: job.name) }) { throw failure }
        let result = ExecResult(
            outcome,
            target: job.name,
            outputFile: OutputDirectory.outputName(of: job),
            errorOutputFile: OutputDirectory.errorOutputName(of: job)
        )
        results.withLock { $0.append(result) }
    }

    func finish() async throws(VTError) {
        try directory.write(results.withLock { $0.sorted { $0.target.naturallyPrecedes($1.target) } })
    }
}
