import Core
import Services
import Synchronization

/// Keeps all output until the end, and then prints a JSON document on one line for each target, sorted by name.
///
/// The output is stored in the same way as by `GatherFormatter`; only one document at a time is in memory.
final class ResultFormatter: ExecFormatter {
    private struct Result {
        var output: GatheredOutput
        var errorOutput: GatheredOutput
        var end: ExecEnd
    }

    private let output: any ByteSink
    private let spool = GatherSpool()
    private let results = Mutex<[String: Result]>([:])

    init(output: any ByteSink) {
        self.output = output
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        let result = emptyResult()
        results.withLock { $0[job.name] = result }
        return (result.output, result.errorOutput)
    }

    func ended(_ job: ExecJob, _ end: ExecEnd) async throws(VTError) {
        let empty = emptyResult()
        results.withLock { $0[job.name, default: empty].end = end }
    }

    func finish() async throws(VTError) {
        let results = results.withLock { $0 }
        for (name, result) in results.sorted(by: { $0.key.naturallyPrecedes($1.key) }) {
            let document = ExecResult(
                result.end,
                target: name,
                output: try result.output.bytes(),
                errorOutput: try result.errorOutput.bytes()
            )
            try await output.write(document.jsonLine)
        }
    }

    private func emptyResult() -> Result {
        Result(output: GatheredOutput(spool), errorOutput: GatheredOutput(spool), end: ExecEnd(.skipped))
    }
}
