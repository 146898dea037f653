import Core
import Services
import Synchronization
import System

/// The `--retry-failed` file, which lists the targets that failed in the previous run.
final class RetryFile: Sendable {
    private let path: String
    /// The names of the jobs that have succeeded.
    private let succeeded = Mutex<Set<String>>([])

    init(_ path: String) {
        self.path = path
    }

    /// Returns those of the targets that the file lists, or all targets if the file does not exist.
    ///
    /// - Throws: `not-found` when the file lists none of the targets; errors of reading it.
    func selected(_ targets: [ResolvedTarget]) throws(VTError) -> [ResolvedTarget] {
        guard let bytes = try FileContents.read(path) else { return targets }
        let words = Set(try TargetList.parse(bytes, name: "'\(path)'"))
        let selected = targets.filter { words.contains(.target($0.target)) }
        guard !selected.isEmpty else {
            throw VTError(
                .notFound,
                "'\(path)' lists none of the selected targets",
                hint: "remove the file to run on all selected targets"
            )
        }
        return selected
    }

    func record(_ job: ExecJob, _ outcome: ExecOutcome) {
        if outcome.isSuccess { succeeded.withLock { _ = $0.insert(job.name) } }
    }

    /// Lists the jobs that have not succeeded, including those not finished because the run was interrupted; removes
    /// the file if all jobs have succeeded.
    func write(_ jobs: [ExecJob]) throws(VTError) {
        let succeeded = succeeded.withLock { $0 }
        let failed = jobs.filter { !succeeded.contains($0.name) }
        guard !failed.isEmpty else { return try FileContents.remove(path) }
        let file = try AtomicFile(at: path, replaces: true)
        try file.write(Array(failed.map { "\($0.target.text)\n" }.joined().utf8))
        try file.commit()
    }
}
