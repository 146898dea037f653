import Core

extension Diagnostics {
    /// Lists the targets that failed; does nothing if there are none.
    func report(_ failures: [(name: String, error: VTError)], of count: Int) {
        guard !failures.isEmpty else { return }
        failure("\(failures.count) of \(count) targets failed")
        for (name, error) in failures { failure("\(name): \(error.message) (\(error.code.rawValue))") }
    }
}

extension Result {
    /// The failure; nil for a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
