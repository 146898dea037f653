/// Text of lines that a terminal gives to whoever reads it line by line.
struct CollectedLines: Sendable {
    enum Purpose: Sendable {
        case none
        /// All that leaves the top of the main screen, once.
        case log
        /// Each line that changed, whenever it may have been seen.
        case watch
    }

    /// A line in `text`.
    struct Line: Sendable {
        /// Where its line feed stands.
        var end: Int
        /// False where it lost its beginning.
        var isWhole: Bool
        /// Where rows meet in it that the program did not wrap, for a traced screen.
        var joins: [TracedScreen.Join] = []
    }

    var purpose = Purpose.none
    /// Whether a line that is painted again as it was is not given again, for a watch.
    var givesOnce = false
    /// Lines with a line feed after each; for a log the last one may have none yet.
    var text: [UInt8] = []
    /// So much of the head is given with a line.
    var headLimit = Int.max
    /// Whether `origins` is kept.
    var isTraced = false
    /// For each byte of the text the style of its cell, where the screen is traced; 0 for none.
    var origins: [UInt32] = []
    /// The same for the head.
    private(set) var headOrigins: [UInt32] = []
    /// The lines in the text, for a watch.
    var lines: [Line] = []
    /// The rows that left the screen of the line that goes on in its first row, for a watch.
    private(set) var head: [UInt8] = []
    private(set) var isHeadWhole = true
    /// Whether the head was not looked at since it changed.
    var isHeadChanged = false

    /// Of a line that is longer the beginning is lost, for a watch.
    static let lineLimit = 64 << 10

    var isOn: Bool { purpose != .none }
    @inline(__always) var isWatch: Bool { purpose == .watch }

    mutating func addToHead(_ row: [UInt8], _ rowOrigins: [UInt32] = [], isChanged: Bool) {
        head += row
        headOrigins += rowOrigins
        isHeadChanged = isHeadChanged || isChanged
        guard head.count > Self.lineLimit else { return }
        // By half, so that this is rare.
        let dropped = Self.start(of: head, atMost: Self.lineLimit / 2)
        head.removeFirst(dropped)
        if isTraced { headOrigins.removeFirst(dropped) }
        isHeadWhole = false
    }

    mutating func dropHead() {
        guard !head.isEmpty else { return }
        head.removeAll(keepingCapacity: head.capacity <= 4096)
        headOrigins.removeAll(keepingCapacity: headOrigins.capacity <= 4096)
        (isHeadWhole, isHeadChanged) = (true, false)
    }

    /// Ends the line that was written to `text` from `start` on.
    mutating func endLine(from start: Int, isWhole: Bool, joins: [TracedScreen.Join] = []) {
        var isWhole = isWhole
        if text.count - start > Self.lineLimit {
            let dropped = start..<start + Self.start(of: text[start...], atMost: Self.lineLimit)
            text.removeSubrange(dropped)
            if isTraced { origins.removeSubrange(dropped) }
            isWhole = false
        }
        lines.append(Line(end: text.count, isWhole: isWhole, joins: joins))
        text.append(0x0A)
        if isTraced { origins.append(0) }
    }

    /// What is remembered of a line from `start` on that was given: never 0.
    func mark(from start: Int) -> UInt32 {
        // FNV-1a of 32 bits: two lines that share it count as one, which is rarer than that it would matter.
        var hash: UInt32 = 0x811C_9DC5
        for byte in text[start...] { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return max(hash, 1)
    }

    mutating func forget() {
        text.removeAll(keepingCapacity: text.capacity <= 256 << 10)
        origins.removeAll(keepingCapacity: origins.capacity <= 256 << 10)
        lines.removeAll(keepingCapacity: lines.capacity <= 16 << 10)
    }

    /// How many bytes are to go so that at most `count` stay, and these begin with a character.
    private static func start(of bytes: some RandomAccessCollection<UInt8>, atMost count: Int) -> Int {
        let rest = bytes.suffix(count)
        return bytes.count - count + (rest.prefix { $0 & 0xC0 == 0x80 }.count)
    }
}
