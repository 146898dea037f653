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

    /// Lists the failed targets.
    func report(on diagnostics: any Diagnostics) {
        let failures = results.filter { !$0.outcome.isSuccess }
        guard !failures.isEmpty else { return }
        diagnostics.failure("\(failures.count) of \(results.count) targets failed")
        for (name, outcome) in failures {
            guard let error = outcome.failure(on: name) else {
                diagnostics.failure("\(name): \(outcome.label ?? "")")
                continue
            }
            let label = if case .failed = outcome { outcome.label } else { String?.none }
            diagnostics.failure("\(name): \(error.message) (\(label ?? error.code.rawValue))")
        }
    }
}
