/// The rows of an animation as markup.
///
/// Each lane is written in the smaller of two forms: as separate elements, so that only the new part of a row is
/// written while the row is being typed; or as whole rows, so that a scrolling row that appears in several lanes is
/// written once and referenced.
struct AnimationBody {
    /// The CSS rules.
    private(set) var rules = ""
    private(set) var definitions = ""
    private(set) var rows = ""

    private let contents: RowContents
    private var looks: [LookNames.Attribute] = []
    /// The names of the rows that are written once and referenced.
    private var names: [Int: String] = [:]

    init(_ lanes: [AnimationLane], _ contents: RowContents, _ looks: LookNames, _ clock: AnimationClock) {
        self.contents = contents
        let plan = Plan(lanes, contents)
        (self.looks, rules) = looks.attributes(for: plan.written(contents).compactMap { contents.elements[$0].look })
        for row in contents.rows.indices where plan.isShared[row] {
            let name = LookNames.shortName(names.count, "a")
            names[row] = name
            definitions += "<g id=\"\(name)\">\(markup(row))</g>\n"
        }
        var keyframes = Keyframes(clock)
        for (y, lane) in plan.lanes.enumerated() {
            let text = lane.items.map { item in
                let classes = item.classes(&keyframes)
                return (lane.isSplit ? element(item.content, classes) : row(item.content, classes)) + "\n"
            }
            guard !text.isEmpty else { continue }
            let offset = y * AnimatedRow.height + AnimatedRow.baseline
            rows += "<g transform=\"translate(0 \(offset))\">\n\(text.joined())</g>\n"
        }
        rules += keyframes.rules
    }

    private func element(_ number: Int, _ classes: [String]) -> String {
        contents.elements[number].markup(looks, classes)
    }

    private func row(_ number: Int, _ classes: [String]) -> String {
        let attribute = AnimatedElement.attribute(classes)
        if let name = names[number] { return "<use href=\"#\(name)\"\(attribute)/>" }
        let parts = contents.rows[number]
        if parts.count == 1 { return element(Int(parts[0]), classes) }
        return "<g\(attribute)>\(markup(number))</g>"
    }

    private func markup(_ row: Int) -> String {
        contents.rows[row].map { element(Int($0), []) }.joined()
    }
}

/// How each lane is written, and which rows are shared.
private struct Plan {
    struct Lane {
        /// Whether the items are elements rather than rows.
        var isSplit: Bool
        var items: [AnimationLane.Item]
    }

    private(set) var lanes: [Lane]
    private(set) var isShared: [Bool]

    init(_ lanes: [AnimationLane], _ contents: RowContents) {
        let whole = lanes.map { $0.items { [$0] } }
        let sizes = contents.rows.map { $0.reduce(0) { $0 + contents.elements[Int($1)].byteCount } }
        var counts = [Int](repeating: 0, count: sizes.count)
        for item in whole.joined() { counts[item.content] += 1 }
        self.lanes = zip(lanes, whole).map { lane, whole in
            let split = lane.items { contents.rows[$0].map { Int($0) } }
            // The cost of a shared row is divided among its lanes.
            let wholeSize = whole.reduce(0) { $0 + sizes[$1.content] / counts[$1.content] + 24 }
            let splitSize = split.reduce(0) { $0 + contents.elements[$1.content].byteCount + 10 }
            guard splitSize + Self.keyframesSize(split) < wholeSize + Self.keyframesSize(whole) else {
                return Lane(isSplit: false, items: whole)
            }
            return Lane(
                isSplit: true,
                items: split.sorted { first, second in
                    contents.elements[first.content].layer.rawValue < contents.elements[second.content].layer.rawValue
                }
            )
        }
        counts = [Int](repeating: 0, count: sizes.count)
        for lane in self.lanes where !lane.isSplit {
            for item in lane.items { counts[item.content] += 1 }
        }
        isShared = zip(counts, sizes).map { count, size in count > 1 && size + count * 18 < count * size }
    }

    private static func keyframesSize(_ items: [AnimationLane.Item]) -> Int {
        Set(items.map(\.switches)).reduce(0) { $0 + 64 + $1.count * 7 }
    }

    /// The indexes of the elements to write; an element that is written several times is repeated.
    func written(_ contents: RowContents) -> [Int] {
        var numbers: [Int] = []
        var isDefined = [Bool](repeating: false, count: isShared.count)
        for lane in lanes {
            for item in lane.items {
                if lane.isSplit {
                    numbers.append(item.content)
                } else if !isDefined[item.content] {
                    isDefined[item.content] = isShared[item.content]
                    numbers += contents.rows[item.content].map { Int($0) }
                }
            }
        }
        return numbers
    }
}
