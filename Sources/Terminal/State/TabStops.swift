/// The columns of tab stops.
struct TabStops: Hashable, Sendable {
    private var stops: [Bool]

    /// Creates a stop at every eighth column.
    init(columns: Int) {
        stops = (0..<columns).map { $0 > 0 && $0 % 8 == 0 }
    }

    var columns: [Int] { stops.indices.filter { stops[$0] } }

    mutating func resize(_ columns: Int) {
        if columns < stops.count { stops.removeLast(stops.count - columns) }
        for column in stops.count..<max(columns, stops.count) { stops.append(column % 8 == 0) }
    }

    mutating func set(_ column: Int, _ isStop: Bool) {
        stops[column] = isStop
    }

    mutating func clear() {
        stops = [Bool](repeating: false, count: stops.count)
    }

    /// The next stop after a column, or the last column of the screen.
    func next(after column: Int) -> Int {
        stops[min(column + 1, stops.count)...].firstIndex(of: true) ?? stops.count - 1
    }

    func previous(before column: Int) -> Int {
        stops[..<column].lastIndex(of: true) ?? 0
    }
}
