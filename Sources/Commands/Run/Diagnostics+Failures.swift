import Core

extension Diagnostics {
    /// Lists the targets that failed, and then their number; does nothing if there are none.
    func report(_ failures: [(name: String, error: VTError)], of count: Int) {
        guard !failures.isEmpty else { return }
        let list = TargetFailures(failures)
        list.report(on: self)
        failure("\(failures.count) of \(count) targets failed\(list.totals)")
    }
}

extension Result {
    /// The failure; nil for a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
