extension Array where Element: Hashable {
    /// The elements in order, without duplicates.
    @inlinable
    package var withoutRepetition: [Element] {
        guard count > 1 else { return self }
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
