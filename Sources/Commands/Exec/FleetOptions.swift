import Arguments
import Core
import Services
import System

/// The options of `vt exec` for runs on many targets, and for parts of such runs.
struct FleetOptions: Sendable {
    /// The part of the targets to run on, as specified.
    private enum Part {
        case given(Shard)
        /// The part is set in the environment by the CI system or job scheduler that started this process.
        case automatic
    }

    static let outputDir = Option(
        "output-dir",
        .text("DIR", completion: .directory),
        excludes: [ExecOptions.gather, ExecOptions.prefix, GlobalOptions.json],
        summary: "write the output of each target to files in this directory",
        details: "The files are TARGET.stdout and TARGET.stderr; bytes that are unusual in file names are "
            + "percent-encoded. \(OutputDirectory.statusName), an array of the documents that --gather --json prints, is "
            + "written at the end; a target that was not run is 'skipped' there. Without --force, it is an error if any of these files exists; but a retry (--retry-failed) replaces the "
            + "files and the results of the targets on which it runs, and keeps the others."
    )
    private static let force = Option.flag("force", summary: "replace existing files in the --output-dir directory")
    let outputDirectory: OutputDirectory?

    private static let retryFailed = Option(
        "retry-failed",
        .file,
        summary: "run only on the targets listed in this file, then rewrite it to list those that remain",
        details: "Those are the targets that failed and the targets that were not run, so the same command line "
            + "continues an interrupted run. If FILE does not exist, the command runs on all selected targets. FILE is "
            + "written at the end, even if the run is interrupted, and removed if all targets have succeeded; the next "
            + "run then needs another --output-dir, or --force. FILE has the format of --targets-file. Targets where the command may still be running are comments in FILE, so that a retry does "
            + "not run it there a second time; as long as there are such comments, the exit status is not 0."
    )
    let retryFile: RetryFile?

    static let script = Option(
        "script",
        .file,
        excludes: [ExecOptions.stdin, ExecOptions.noStdin, ExecOptions.pty],
        summary: "run this shell script, with the words of COMMAND as its arguments",
        details: "The script is sent to the shell named in its first line, such as '#!/bin/bash', or to sh, over "
            + "standard input; it is not written to disk. Commands in the script have no input."
    )
    let script: ShellScript?

    static let merge = Option(
        "merge",
        .text("DIR", completion: .directory),
        excludes: TargetOptions.replacements + [
            script, shard, outputDir, retryFailed, ExecOptions.gather, ExecOptions.prefix,
        ] + BatchOptions.options,
        summary: "join the JSON output of the parts of a run, and exit as a single run would",
        details: "DIR contains the output of each part, run with --shard and --json (optionally with --gather), in a "
            + "file whose name ends in .json. A missing part, or a target without a result, counts as a failure."
    )
    /// The directory that contains the parts to join.
    let mergedDirectory: String?

    private static let summary = Option.flag(
        "summary",
        summary: "print how long the command took on each target, slowest first",
        details: "The table is written to standard error at the end, with at most \(TimingTable.limit) targets. The "
            + "times are those from the request until the end of the command, without the login."
    )
    /// Whether to print how long the command ran on each target.
    let showsSummary: Bool

    private static let shard = Option(
        "shard",
        ValueKind("PART", parse: part),
        summary: "run only on this part of the targets: I/N, or auto",
        details: "Each target belongs to exactly one of the parts 1/N to N/N; which one depends only on the target and "
            + "N. 'auto' takes the part from the environment of a Slurm array, a Kubernetes indexed job (with "
            + "JOB_COMPLETIONS set to the number of completions), a parallel job of GitLab, CircleCI or Buildkite, or "
            + "GNU parallel (with PARALLEL_TOTAL set to the number of jobs). Output and exit status are always those "
            + "of a run on several targets."
    )
    private let part: Part?

    static let runs: [any CommandOption] = [retryFailed, shard, merge]
    static let outputs: [any CommandOption] = [outputDir, force, summary]

    init(_ call: Call) throws(VTError) {
        outputDirectory = call[Self.outputDir].map {
            OutputDirectory(path: $0, replaces: call[Self.force])
        }
        guard outputDirectory != nil || !call[Self.force] else {
            throw VTError(.usage, "--force requires --output-dir")
        }
        retryFile = call[Self.retryFailed].map { RetryFile($0) }
        script = call[Self.script].map { ShellScript(path: $0, arguments: call.commandWords) }
        mergedDirectory = call[Self.merge]
        if mergedDirectory != nil, let word = call.commandWords.first {
            throw VTError(.usage, "unexpected argument '\(word.repairedText)': '--merge' replaces TARGET and COMMAND")
        }
        part = call[Self.shard]
        showsSummary = call[Self.summary]
    }

    private static func part(_ text: String) throws(VTError) -> Part {
        text == "auto" ? .automatic : .given(try Shard(parsing: text))
    }

    /// Whether the run is limited to some of the selected targets; a single target is then treated like several.
    var isPartial: Bool { part != nil || retryFile != nil }

    /// The part of the targets to run on; nil for all of them.
    ///
    /// - Throws: `usage` when the environment does not determine the part.
    func shard(in environment: Environment) throws(VTError) -> Shard? {
        switch part {
        case nil: nil
        case .given(let shard): shard
        case .automatic: try ShardEnvironment(environment).shard()
        }
    }

    /// Returns the targets to run on.
    ///
    /// - Throws: Errors of `shard` and `RetryFile.selected`.
    func selected(_ targets: [ResolvedTarget], in environment: Environment) throws(VTError) -> [ResolvedTarget] {
        var targets = targets
        if let shard = try shard(in: environment) { targets.removeAll { !shard.contains($0.target) } }
        guard let retryFile, !targets.isEmpty else { return targets }
        return try retryFile.selected(targets)
    }
}
