import Terminal

extension Screen {
    /// The first few differences from another screen.
    func differences(from other: Screen) -> [String] {
        var result: [String] = []
        for (y, pair) in zip(rows, other.rows).enumerated() where pair.0 != pair.1 {
            if pair.0.isWrapped != pair.1.isWrapped { result.append("\(y): wrapped \(pair.0.isWrapped)") }
            if pair.0.size != pair.1.size { result.append("\(y): \(pair.0.size), not \(pair.1.size)") }
            if pair.0.marks != pair.1.marks { result.append("\(y): marks \(pair.0.marks), not \(pair.1.marks)") }
            let mine = pair.0.cells.map(Optional.some) + [nil]
            let others = pair.1.cells.map(Optional.some) + [nil]
            if let x = zip(mine, others).enumerated().first(where: { $1.0 != $1.1 })?.offset {
                result.append("\(y),\(x): \(Self.text(mine[x])), not \(Self.text(others[x]))")
            }
        }
        if cursor != other.cursor { result.append("cursor \(cursor), not \(other.cursor)") }
        if modes != other.modes { result.append("modes \(modes.changed), not \(other.modes.changed)") }
        if isAlternate != other.isAlternate { result.append("alternate \(isAlternate)") }
        if title != other.title { result.append("title \(title), not \(other.title)") }
        var rest = self
        (rest.rows, rest.cursor, rest.modes, rest.title) = (other.rows, other.cursor, other.modes, other.title)
        if result.isEmpty, rest != other { result.append("something else") }
        return Array(result.prefix(5))
    }

    private static func text(_ cell: ScreenCell?) -> String {
        guard let cell else { return "end" }
        return "\(cell.text.debugDescription) \(cell.width) \(cell.style) \(cell.link?.target ?? "")"
    }
}
