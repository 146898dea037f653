extension Array where Element: Sendable {
    /// Calls a function for all elements at the same time, and returns its results, except nil, in any order.
    package func concurrentCompactMap<Value: Sendable>(
        _ transform: @escaping @Sendable (Element) async -> Value?
    ) async -> [Value] {
        await withTaskGroup(of: Value?.self) { group in
            for element in self { group.addTask { await transform(element) } }
            return await group.reduce(into: []) { values, value in
                if let value { values.append(value) }
            }
        }
    }
}
