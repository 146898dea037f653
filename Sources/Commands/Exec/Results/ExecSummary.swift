import Core
import Services

/// The outcomes of a run on several targets.
struct ExecSummary {
    /// The outcome of each target, by name.
    let results: [(name: String, outcome: ExecOutcome)]

    /// 0 if every program exited with 0, otherwise 1.
    var status: UInt8 {
        results.allSatisfy(\.outcome.isSuccess) ? 0 : VTError.Code.negative.status
    }

    /// Reports how many targets failed and why, except for those whose failures have already been reported.
    func report(on diagnostics: any Diagnostics, without reported: Set<String> = []) {
        let others = results.filter { !$0.outcome.isSuccess }
        guard !others.isEmpty else { return }
        let (aborted, skipped) = (others.count(where: \.outcome.isAborted), others.count { $0.outcome == .skipped })
        let failed = others.filter { !$0.outcome.isAborted && $0.outcome != .skipped }
        let totals = TargetFailures(failed.map { $1.targetFailure(of: $0) }).totals
        diagnostics.failure(
            "\(failed.count) of \(results.count) targets failed\(totals)"
                + (aborted > 0 ? ", \(aborted) aborted" : "") + (skipped > 0 ? ", \(skipped) not run" : "")
        )
        TargetFailures(others.filter { !reported.contains($0.name) }.map { $1.targetFailure(of: $0) })
            .report(on: diagnostics)
    }
}

extension ExecOutcome {
    /// Whether the program was stopped because other jobs failed.
    var isAborted: Bool {
        if case .aborted = self { true } else { false }
    }

    fileprivate func targetFailure(of name: String) -> TargetFailures.Failure {
        guard let error = failure(on: name) else {
            return TargetFailures.Failure(name, kind: label ?? "", text: label ?? "")
        }
        let label = if case .failed = self { label } else { String?.none }
        return TargetFailures.Failure(name, error, label: label)
    }
}
