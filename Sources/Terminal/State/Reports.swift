/// What a terminal has for its surroundings.
struct Reports: Sendable {
    var answers: [UInt8] = []
    var bells = 0
    var clipboard: ClipboardRequest?
    /// How many cells were summed up for checksums since answers were taken.
    var summedCells = 0

    /// What is not taken is not added to beyond this.
    static let answerLimit = 64 << 10
    /// A program that asks for more, and does not wait for the answers, gets none: each costs the time of a whole screen.
    static let summedCellLimit = 4 << 20
}

/// What a program put into the clipboard (OSC 52).
package struct ClipboardRequest: Hashable, Sendable {
    /// The letters of the selections, such as `c` and `p`.
    package var selections: String
    package var content: [UInt8]
}

/// What a program told with OSC 133 about its prompt.
package struct PromptState: Hashable, Sendable {
    package enum Phase: String, Sendable {
        /// Nothing was told.
        case unknown
        case prompt
        /// The prompt is complete: something may be typed.
        case input
        /// A command runs.
        case output
        case ended
    }

    package var phase = Phase.unknown
    /// The status that the last command ended with.
    package var status: Int?
    /// How often a prompt was complete.
    package var count = 0

    package init() {}
}

/// The titles that XTWINOPS 22 saves.
struct SavedTitles: Hashable, Sendable {
    var title: String
    var iconName: String
}

/// What the cursor looks like (DECSCUSR); the numbers are those of the sequence.
package enum CursorShape: Int, Sendable {
    case standard, blinkingBlock, block, blinkingUnderline, underline, blinkingBar, bar
}

/// What erasing spares of the characters that are protected; the sequence that was used last to protect decides.
enum Protection: UInt8, Sendable {
    /// DECSCA: DECSED, DECSEL and DECSERA spare them.
    case selective
    /// SPA and EPA (ECMA-48 §8.3.130): ED, EL and ECH spare them too.
    case guarded
}

/// How the character that was printed last may be joined by the next.
enum JoinState: UInt8 {
    /// The cursor was moved since.
    case moved
    case printed
    case pictograph
    /// A pictograph and U+200D: another pictograph joins.
    case joiner
    /// Half of a flag.
    case regional
    /// An Indic consonant, and one with a linker: another consonant joins.
    case consonant
    case linked
    /// The next character joins.
    case prepended
}

/// The styles, clusters and links of all cells of a terminal.
struct CellTables: Sendable {
    var styles = StyleTable()
    var clusters = ClusterTable()
    var links = LinkTable()
    /// How many entries there may be before those without use are forgotten.
    var limit = 4096
}

/// What programs asked of the keyboard with kitty's protocol, on one screen.
struct KeyboardFlags: Hashable, Sendable {
    /// The last is in force.
    private(set) var stack: [UInt8] = [0]

    /// Older entries are forgotten.
    private static let limit = 16

    var current: UInt8 { stack.last ?? 0 }

    mutating func push(_ flags: Int) {
        if stack.count == Self.limit { stack.remove(at: 1) }
        stack.append(UInt8(truncatingIfNeeded: flags & 31))
    }

    mutating func pop(_ count: Int) {
        stack.removeLast(min(count, stack.count))
        if stack.isEmpty { stack = [0] }
    }

    mutating func set(_ flags: Int, how: Int) {
        let flags = UInt8(truncatingIfNeeded: flags & 31)
        switch how {
        case 2: stack[stack.count - 1] |= flags
        case 3: stack[stack.count - 1] &= ~flags
        default: stack[stack.count - 1] = flags
        }
    }
}

/// Columns at which a tab stops.
struct TabStops: Hashable, Sendable {
    private var stops: [Bool]

    /// Every eighth column.
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
