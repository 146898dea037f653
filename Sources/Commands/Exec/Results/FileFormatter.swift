import Core
import Runtime
import Services
import Synchronization

/// Writes the output of each target to separate files, and the results to `status.json` at the end.
///
/// The files of a target that is not started are left alone, so that a retry keeps those of the run before.
final class FileFormatter: ExecFormatter {
    private let directory: OutputDirectory
    /// The results of the run that is retried.
    private let report: ExecReport?
    /// The files of the targets that have not ended, by target name.
    private let open = Mutex<[String: [TargetFile]]>([:])
    private let results = Mutex<[ExecResult]>([])

    init(_ directory: OutputDirectory, report: ExecReport?) {
        (self.directory, self.report) = (directory, report)
    }

    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink) {
        let files = files(of: job)
        open.withLock { $0[job.name] = files }
        return (files[0], files[1])
    }

    private func files(of job: ExecJob) -> [TargetFile] {
        let replaces = report?.contains(job.name) == true
        return [OutputDirectory.outputName(of: job), OutputDirectory.errorOutputName(of: job)].map {
            TargetFile($0, in: directory, replaces: replaces)
        }
    }

    func ended(_ job: ExecJob, _ end: ExecEnd) async throws(VTError) {
        let files = open.withLock { $0.removeValue(forKey: job.name) } ?? files(of: job)
        let isSkipped = end.outcome == .skipped
        guard !isSkipped || report?.contains(job.name) != true else { return }
        if !isSkipped { for file in files { try file.create() } }
        let result = ExecResult(
            end,
            target: job.name,
            outputFile: isSkipped ? nil : files[0].name,
            errorOutputFile: isSkipped ? nil : files[1].name
        )
        results.withLock { $0.append(result) }
    }

    func finish() async throws(VTError) {}

    /// Writes the results so far, whether or not the run has succeeded.
    func writeReport() throws(VTError) {
        try directory.write(results.withLock { $0 }, report: report)
    }
}

/// A file for one stream of a target, which is created when output arrives.
private final class TargetFile: ByteSink {
    let name: String
    private let directory: OutputDirectory
    private let replaces: Bool
    private let file = Mutex<(any ByteSink)?>(nil)

    init(_ name: String, in directory: OutputDirectory, replaces: Bool) {
        (self.name, self.directory, self.replaces) = (name, directory, replaces)
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await create().write(bytes)
    }

    /// Creates the file unless it has been created.
    @discardableResult
    func create() throws(VTError) -> any ByteSink {
        try file.withLock { file throws(VTError) in
            if let file { return file }
            let sink = try directory.sink(name, replaces: replaces)
            file = sink
            return sink
        }
    }
}
