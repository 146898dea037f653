import Core
import System

/// Determines this process's part from the environment set by an engine that runs jobs in parallel.
package struct ShardEnvironment {
    /// The variables that contain the position and the number of parts, and the number of the first position.
    private struct Source {
        var index: String
        var count: String
        var first: Int
    }

    private static let sources = [
        // Kubernetes sets only the index of an indexed job; the manifest must set the number of completions.
        Source(index: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETIONS", first: 0),
        Source(index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1),
        Source(index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL", first: 0),
        Source(index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT", first: 0),
        // GNU parallel sets only the number of the job; the number of jobs can be set with --env or --shard {#}/{##}.
        Source(index: "PARALLEL_SEQ", count: "PARALLEL_TOTAL", first: 1),
    ]

    private let environment: Environment

    package init(_ environment: Environment) {
        self.environment = environment
    }

    /// Returns the part of this process.
    ///
    /// - Throws: `usage` when no engine has set its variables, or they do not determine the part.
    package func shard() throws(VTError) -> Shard {
        if let shard = try arrayShard() { return shard }
        for source in Self.sources {
            guard let text = environment[source.index] else { continue }
            guard let countText = environment[source.count] else {
                throw VTError(
                    .usage,
                    "\(source.index) is set, but \(source.count) is not",
                    hint: "set \(source.count) to the number of parts, or use --shard I/N"
                )
            }
            guard let index: Int = NumberText.whole(text), let count: Int = NumberText.whole(countText),
                let shard = Shard(index: index - source.first + 1, count: count)
            else { throw Self.unusable("\(source.index)=\(text) and \(source.count)=\(countText)") }
            return shard
        }
        throw VTError(
            .usage,
            "cannot determine the part: no known engine has set its variables",
            hint: "use --shard I/N; 'auto' supports Slurm, Kubernetes, GitLab, CircleCI, Buildkite and GNU parallel"
        )
    }

    /// The part of a task of a Slurm array; nil outside an array.
    ///
    /// The task IDs must be evenly spaced (sbatch(1), --array), because a task does not know the IDs of the other
    /// tasks.
    private func arrayShard() throws(VTError) -> Shard? {
        guard environment["SLURM_ARRAY_TASK_ID"] != nil else { return nil }
        guard let id = slurmNumber("ID"), let count = slurmNumber("COUNT"), let minimum = slurmNumber("MIN"),
            let maximum = slurmNumber("MAX")
        else { throw Self.unusable("the variables SLURM_ARRAY_TASK_*") }
        let step = max(slurmNumber("STEP") ?? 1, 1)
        guard (maximum - minimum) / step + 1 == count, (id - minimum) % step == 0,
            let shard = Shard(index: (id - minimum) / step + 1, count: count)
        else { throw Self.unusable("a Slurm array with gaps") }
        return shard
    }

    private func slurmNumber(_ name: String) -> Int? {
        environment["SLURM_ARRAY_TASK_\(name)"].flatMap { NumberText.whole($0) }
    }

    private static func unusable(_ what: String) -> VTError {
        VTError(.usage, "cannot determine the part from \(what)", hint: "use --shard I/N")
    }
}
