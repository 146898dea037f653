/// The scroll region; `bottom` and `right` are the first row and column outside it.
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

    @inline(__always)
    func isFullWidth(_ columns: Int) -> Bool { left == 0 && right == columns }
}
