extension String {
    /// The phrase as a sentence: with a period, and capitalized if the first word consists of letters and is not `vt`.
    var sentence: String {
        let stop = hasSuffix(".") ? "" : "."
        guard let first = split(separator: " ").first, first != "vt", first.allSatisfy(\.isLetter) else {
            return self + stop
        }
        return prefix(1).uppercased() + dropFirst() + stop
    }
}
