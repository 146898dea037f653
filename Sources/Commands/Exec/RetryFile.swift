import Core
import Services
import Synchronization
import System

/// The `--retry-failed` file, which lists the targets that failed in the previous run.
///
/// Targets where the command may still be running are comments, so that it does not run there twice.
final class RetryFile: Sendable {
    private struct Results {
        /// Whether the file existed.
        var isRetry = false
        /// Whether the results have been written.
        var isWritten = false
        /// The names of the jobs that have succeeded.
        var succeeded: Set<String> = []
        /// The names of the jobs whose programs may still be running.
        var doubtful: Set<String> = []
        /// The targets whose programs may still be running since an earlier run, also those that are not selected.
        var remaining: [String] = []
        /// The lines of the targets that are not selected, which a later run can select.
        var others: [String] = []
    }

    private let path: String
    private let results = Mutex(Results())

    /// The beginning of the comment for a target where the command may still be running.
    private static let doubt = "# may still be running: "

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
        let listed = Set(selected.map { TargetWord.target($0.target) })
        let texts = Set(selected.map(\.target.text))
        var remaining: [String] = []
        var others: [String] = []
        for line in ByteString(bytes).repairedText.split(whereSeparator: \.isNewline) {
            if line.hasPrefix(Self.doubt) {
                let text = String(line.dropFirst(Self.doubt.count))
                if !texts.contains(text) { remaining.append(text) }
            } else {
                let names = try TargetList.parse(Array(line.utf8), name: "'\(path)'").filter { !listed.contains($0) }
                others += names.map(\.text)
            }
        }
        results.withLock { ($0.isRetry, $0.remaining, $0.others) = (true, remaining, others) }
        guard selected.isEmpty else { return selected }
        guard remaining.isEmpty else {
            throw VTError(
                .notFound,
                "'\(path)' lists no targets to retry: the command may still be running on \(remaining.count)",
                hint: "check them, and delete '\(Self.doubt)' where the command is to run again"
            )
        }
        throw VTError(
            .notFound,
            "'\(path)' lists none of the selected targets",
            hint: "remove the file to run on all selected targets"
        )
    }

    /// Checks that the file can be written, before any command runs.
    ///
    /// - Throws: `cannot-create`.
    func check() throws(VTError) {
        _ = try AtomicFile(at: path, replaces: true)
    }

    func record(_ job: ExecJob, _ outcome: ExecOutcome) {
        results.withLock { results in
            if outcome.isSuccess { results.succeeded.insert(job.name) }
            if outcome.interrupted == .mayBeRunning { results.doubtful.insert(job.name) }
        }
    }

    /// Whether the run is limited to targets that the file lists.
    var isRetry: Bool { results.withLock { $0.isRetry } }

    /// Whether no command of an earlier run may still be running.
    var isComplete: Bool { results.withLock { $0.remaining.isEmpty } }

    /// Lists the jobs that have not succeeded, including those not finished because the run was interrupted, and the
    /// targets that were not selected; removes the file if there are none.
    ///
    /// Only the first call has an effect.
    func write(_ jobs: [ExecJob], diagnostics: any Diagnostics) throws(VTError) {
        let results = results.withLock { results in
            defer { results.isWritten = true }
            return results
        }
        guard !results.isWritten else { return }
        let failed = jobs.filter { !results.succeeded.contains($0.name) }
        let retried = failed.filter { !results.doubtful.contains($0.name) }.map(\.target.text) + results.others
        let doubtful = results.remaining + failed.filter { results.doubtful.contains($0.name) }.map(\.target.text)
        guard !retried.isEmpty || !doubtful.isEmpty else { return try FileContents.remove(path) }
        let lines = retried.map { "\($0)\n" } + doubtful.map { "\(Self.doubt)\($0)\n" }
        let file = try AtomicFile(at: path, replaces: true)
        try file.write(Array(lines.joined().utf8))
        try file.commit()
        guard !doubtful.isEmpty else { return }
        let targets = doubtful.count == 1 ? "1 target" : "\(doubtful.count) targets"
        diagnostics.note(
            "the command may still be running on \(targets), which '\(path)' lists as comments and a "
                + "retry omits"
        )
    }
}
