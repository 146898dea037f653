/// The distinct rows of an animation, and the distinct elements they consist of.
struct RowContents {
    private var elementNumbers: [AnimatedElement: Int32] = [:]
    private var rowNumbers: [[Int32]: Int] = [:]
    private(set) var elements: [AnimatedElement] = []
    /// The indexes of each row's elements.
    private(set) var rows: [[Int32]] = []
    private(set) var byteCount = 0

    /// Returns the index of a row's content; nil if it is blank.
    ///
    /// `usual` is the color of elements without a fill.
    mutating func number(
        of row: ScreenRow,
        _ isReversed: Bool,
        _ theme: Theme,
        usual: Theme.RGB,
        _ looks: inout LookNames
    ) -> Int? {
        let parts = AnimatedRow.elements(row, isReversed, theme, usual: usual, &looks).map { number(of: $0) }
        guard !parts.isEmpty else { return nil }
        if let number = rowNumbers[parts] { return number }
        rowNumbers[parts] = rows.count
        rows.append(parts)
        byteCount += parts.count * 8 + 64
        return rows.count - 1
    }

    private mutating func number(of element: AnimatedElement) -> Int32 {
        if let number = elementNumbers[element] { return number }
        let number = Int32(elements.count)
        elementNumbers[element] = number
        elements.append(element)
        byteCount += element.byteCount * 2
        return number
    }
}
