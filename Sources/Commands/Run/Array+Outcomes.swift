import Core

extension Array where Element: Sendable {
    /// Runs `body` for each element, at most `limit` at a time; returns one outcome for each, in order.
    ///
    /// With `untilSuccess`, the first success cancels the others, whose outcome is then a cancellation.
    func outcomes<Value: Sendable>(
        limit: Int = .max,
        untilSuccess: Bool = false,
        _ body: @escaping @Sendable (Element) async throws(VTError) -> Value
    ) async -> [Result<Value, VTError>] {
        await withTaskGroup(of: (Int, Result<Value, VTError>).self) { group in
            var rest = enumerated().makeIterator()
            func addNext() {
                guard let (index, element) = rest.next() else { return }
                group.addTask { (index, await Result { () async throws(VTError) in try await body(element) }) }
            }
            for _ in 0..<Swift.min(limit, count) { addNext() }
            var outcomes = [Result<Value, VTError>](repeating: .failure(.cancelled), count: count)
            while let (index, outcome) = await group.next() {
                outcomes[index] = outcome
                if untilSuccess, outcome.failure == nil {
                    group.cancelAll()
                    break
                }
                addNext()
            }
            return outcomes
        }
    }
}
