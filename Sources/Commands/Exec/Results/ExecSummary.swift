import Core
import Services

/// The outcomes of a run on several targets.
struct ExecSummary {
    /// How the run ended on each target, by name.
    let results: [(name: String, end: ExecEnd)]

    /// 0 if every program exited with 0, otherwise 1.
    var status: UInt8 {
        results.allSatisfy(\.end.outcome.isSuccess) ? 0 : VTError.Code.negative.status
    }

    /// Prints how long the command ran on each target, on standard error.
    func showTimings(on context: Context) {
        let text = TimingTable(results).rendered(in: context.errorStyle)
        // As for all messages, a failure to print the table is not a failure of the run.
        try? context.console.errorOutput.write(Array(text.utf8))
    }

    /// Reports why targets failed, except for those whose failures have already been reported, and then how many.
    func report(on diagnostics: any Diagnostics, without reported: Set<String> = []) {
        let others = results.map { (name: $0.name, outcome: $0.end.outcome) }.filter { !$0.outcome.isSuccess }
        guard !others.isEmpty else { return }
        let (aborted, skipped) = (others.count(where: \.outcome.isAborted), others.count { $0.outcome == .skipped })
        let failed = others.filter { !$0.outcome.isAborted && $0.outcome != .skipped }
        TargetFailures(others.filter { !reported.contains($0.name) }.map { $1.targetFailure(of: $0) })
            .report(on: diagnostics)
        let totals = TargetFailures(failed.map { $1.targetFailure(of: $0) }).totals
        diagnostics.failure(
            "\(failed.count) of \(results.count) targets failed\(totals)"
                + (aborted > 0 ? ", \(aborted) aborted" : "") + (skipped > 0 ? ", \(skipped) not run" : "")
        )
    }
}

extension ExecOutcome {
    /// Whether the program was stopped because other jobs failed.
    var isAborted: Bool {
        if case .aborted = self { true } else { false }
    }

    /// Whether the program was stopped because of its timeout or other jobs.
    var isStopped: Bool {
        if case .failed(let error) = self { error.code == .timedOut } else { isAborted }
    }

    fileprivate func targetFailure(of name: String) -> TargetFailures.Failure {
        guard let error = failure(on: name) else {
            return TargetFailures.Failure(name, kind: label ?? "", text: label ?? "")
        }
        let label = if case .failed = self { label } else { String?.none }
        return TargetFailures.Failure(name, error, label: label)
    }
}
