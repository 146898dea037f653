/// A row of the screen over time.
struct AnimationLane {
    /// Content that appears and disappears.
    struct Item {
        /// The index of the row or element that is shown.
        let content: Int
        /// The frames at which the content appears, disappears, appears again and so on.
        var switches: [Int32]

        /// The CSS classes of the content: one if it is visible at the end, one for its animation.
        func classes(_ keyframes: inout Keyframes) -> [String] {
            let name = keyframes.name(for: switches)
            return (switches.count % 2 == 1 ? ["_"] : []) + (name.map { [$0] } ?? [])
        }
    }

    /// The indexes of the rows shown in the lane, or -1 for none, with the frames from which they are shown.
    private(set) var changes: [(frame: Int32, row: Int)] = []

    mutating func show(_ row: Int?, from frame: Int32) {
        let row = row ?? -1
        guard row != changes.last?.row ?? -1 else { return }
        changes.append((frame, row))
    }

    /// The distinct parts of the rows shown in the lane; `parts` returns the parts of one row.
    func items(_ parts: (Int) -> [Int]) -> [Item] {
        var items: [Item] = []
        var places: [Int: Int] = [:]
        var shown: Set<Int> = []
        for change in changes {
            let order = change.row < 0 ? [] : parts(change.row)
            let next = Set(order)
            for part in shown.subtracting(next) {
                if let place = places[part] { items[place].switches.append(change.frame) }
            }
            for part in order where !shown.contains(part) {
                if let place = places[part] {
                    items[place].switches.append(change.frame)
                } else {
                    places[part] = items.count
                    items.append(Item(content: part, switches: [change.frame]))
                }
            }
            shown = next
        }
        return items
    }
}
