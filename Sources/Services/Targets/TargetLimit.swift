import Core

/// A number of targets, which can depend on how many are selected.
package enum TargetLimit: Hashable, Sendable {
    /// At least 1.
    case count(Int)
    /// A percentage of the number of targets, from 1 to 100.
    case percent(Int)

    /// Parses `N` or `N%`.
    ///
    /// - Throws: `usage` when the text is neither, or is out of range.
    package init(parsing text: String) throws(VTError) {
        let isShare = text.hasSuffix("%")
        guard let number: Int = NumberText.whole(isShare ? text.dropLast() : text[...]), number > 0,
            !isShare || number <= 100
        else {
            throw VTError(
                .usage,
                "invalid limit '\(text)'",
                hint: "use a number such as 10, or a percentage such as 10%"
            )
        }
        self = isShare ? .percent(number) : .count(number)
    }

    /// Returns how many of `count` targets the limit permits; a percentage is rounded up, so that the result is never zero.
    package func applied(to count: Int) -> Int {
        switch self {
        case .count(let limit): min(limit, count)
        case .percent(let share): (count * share + 99) / 100
        }
    }
}
