/// The scroll region: rows and columns from the first up to but not including the last.
struct Region: Hashable, Sendable {
    var top: Int
    var bottom: Int
    var left: Int
    var right: Int

    init(columns: Int, rows: Int) {
        (top, bottom, left, right) = (0, rows, 0, columns)
    }

    var rows: Range<Int> { top..<bottom }
    var columns: Range<Int> { left..<right }
}

extension Region {
    @inline(__always)
    func isFullWidth(_ columns: Int) -> Bool { left == 0 && right == columns }
}
