/// Lines of text collected from a terminal.
struct CollectedLines: Sendable {
    enum Purpose: Sendable {
        case none
        /// Every line that leaves the top of the main screen, once.
        case log
        /// Every line that changed, once for each state in which it may have been visible.
        case watch
    }

    /// A line in `text`.
    struct Line: Sendable {
        /// The offset of the line's line feed in `text`.
        var end: Int
        /// False if the start of the line was lost.
        var isWhole: Bool
        /// On a traced screen, how rows were joined that do not form a line of the terminal.
        var flow: Flow?
    }

    /// How text continues from row to row, as in a pane or beside line numbers.
    struct Flow: Sendable {
        /// The places in the line where two rows meet.
        var joins: [Int]
        /// Whether the line is not preceded by another one of the same pane.
        var isFirst: Bool
    }

    let purpose: Purpose
    /// Whether a watch omits lines that are repainted unchanged.
    let reportsOnce: Bool
    /// In a log of one row, the row and the length of the text at the start of the current synchronized update
    /// (mode 2026).
    ///
    /// The update can replace what it has written by restoring the cursor that was saved in that row.
    var update: (grid: Grid, textCount: Int)?
    /// Lines, each followed by a line feed; in a log, the last one may be incomplete.
    var text: CollectedText
    /// On a traced screen, whether there are rows whose joins have yet to be collected.
    var hasDueJoins = false
    /// The lines in the text, for a watch.
    var lines: [Line] = []
    /// For a watch, the text of the rows that have scrolled off from the line that continues at the top of the screen.
    private(set) var head: CollectedText
    private(set) var isHeadWhole = true
    /// How many bytes at the end of the head have not been reported since they changed.
    private(set) var newHeadBytes = 0

    /// The maximum length of a line in a watch, in bytes; the start of a longer one is dropped.
    static let lineLimit = 64 << 10

    init(purpose: Purpose = .none, reportsOnce: Bool = false, isTraced: Bool = false) {
        self.purpose = purpose
        self.reportsOnce = reportsOnce
        text = CollectedText(isTraced: isTraced)
        head = text
    }

    var isOn: Bool { purpose != .none }
    var isTraced: Bool { text.isTraced }
    @inline(__always) var isWatch: Bool { purpose == .watch }
    /// Whether the head has changed since it was last reported.
    var isHeadChanged: Bool { newHeadBytes > 0 }

    /// The start of the part of the head to report with the rows below it.
    ///
    /// For a traced screen, this is the part not reported yet, and some text before it, because a line that keeps
    /// growing would otherwise be reported in full with every change. For other screens, it is the whole head.
    var reportedHeadStart: Int {
        isTraced ? max(0, head.count - newHeadBytes - Self.contextBytes) : 0
    }

    private static let contextBytes = 1024

    mutating func addToHead(_ row: CollectedText, isChanged: Bool) {
        head.append(row)
        if isChanged || isHeadChanged { newHeadBytes += row.count }
        guard head.count > Self.lineLimit else { return }
        // Drop half, so that this happens rarely.
        head.remove(0..<Self.start(of: head.bytes, atMost: Self.lineLimit / 2))
        isHeadWhole = false
        newHeadBytes = min(newHeadBytes, head.count)
    }

    /// Records that the head was reported.
    mutating func recordHeadReported() {
        newHeadBytes = 0
    }

    mutating func dropHead() {
        guard head.count > 0 else { return }
        head.removeAll(keeping: 4096)
        (isHeadWhole, newHeadBytes) = (true, 0)
    }

    /// Ends the line that starts at `start` in `text`.
    mutating func endLine(from start: Int, isWhole: Bool, flow: Flow? = nil) {
        var isWhole = isWhole
        if text.count - start > Self.lineLimit {
            text.remove(start..<start + Self.start(of: text.bytes[start...], atMost: Self.lineLimit))
            isWhole = false
        }
        lines.append(Line(end: text.count, isWhole: isWhole, flow: flow))
        text.append(CollectionOfOne(0x0A))
    }

    /// The hash of the line that starts at `start` in `text`; never 0.
    func mark(from start: Int) -> UInt32 {
        // 32-bit FNV-1a. Different lines with the same hash are not distinguished, but they are very rare.
        var hash: UInt32 = 0x811C_9DC5
        for byte in text.bytes[start...] { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return max(hash, 1)
    }

    /// Removes the text that the current update cannot replace, and returns it.
    mutating func takeFinal() -> [UInt8] {
        guard let count = update?.textCount else {
            defer { forget() }
            return text.bytes
        }
        defer { text.remove(0..<count) }
        update?.textCount = 0
        return Array(text.bytes[..<count])
    }

    /// Keeps the text of an update that is too long to be replaced.
    mutating func limitUpdate() {
        if let count = update?.textCount, text.count - count > Self.updateLimit { update = nil }
    }

    /// The maximum length of the text that an update can replace.
    private static let updateLimit = 64 << 10

    mutating func forget() {
        text.removeAll(keeping: 256 << 10)
        lines.removeAll(keepingCapacity: lines.capacity <= 16 << 10)
    }

    /// The number of bytes to drop so that at most `count` remain, starting at a character boundary.
    private static func start(of bytes: some RandomAccessCollection<UInt8>, atMost count: Int) -> Int {
        let rest = bytes.suffix(count)
        return bytes.count - count + (rest.prefix { $0 & 0xC0 == 0x80 }.count)
    }
}
