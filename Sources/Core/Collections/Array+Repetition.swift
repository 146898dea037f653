extension [String] {
    /// The elements in order, without duplicates.
    package var withoutRepetition: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
