/// Something that comes and goes in a film.
struct AnimationItem {
    /// The number of what is shown.
    let content: Int
    /// The frames at which it comes, goes, comes back and so on.
    var switches: [Int32]

    /// Its classes: one if it is there at the end, one for its animation.
    func classes(_ keyframes: inout Keyframes) -> [String] {
        let name = keyframes.name(for: switches)
        return (switches.count % 2 == 1 ? ["_"] : []) + (name.map { [$0] } ?? [])
    }
}

/// A row of the screen over time.
struct AnimationLane {
    /// The rows that stood there, and from which frames on; -1 for none.
    private(set) var changes: [(frame: Int32, row: Int)] = []

    mutating func show(_ row: Int?, from frame: Int32) {
        let row = row ?? -1
        guard row != changes.last?.row ?? -1 else { return }
        changes.append((frame, row))
    }

    /// What stood in the lane, each thing once; `parts` tells what a row is made of.
    func items(_ parts: (Int) -> [Int]) -> [AnimationItem] {
        var items: [AnimationItem] = []
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
                    items.append(AnimationItem(content: part, switches: [change.frame]))
                }
            }
            shown = next
        }
        return items
    }
}
