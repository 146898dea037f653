/// The rows that have left the main screen, oldest first, packed into a limited number of bytes.
///
/// Each row is a `PackedLine` record followed by its length in four bytes. The oldest records are discarded in chunks.
struct Scrollback: Sendable {
    private struct Chunk {
        var bytes: [UInt8]
        var lines: Int
    }

    private let byteLimit: Int
    private var chunks: [Chunk] = []
    private var open: [UInt8] = []
    private var openLines = 0
    private var chunkBytes = 0
    /// The number of rows.
    private(set) var count = 0
    /// The number of rows, including those that have been discarded because of the limit.
    private(set) var total = 0

    private let chunkSize: Int

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
        chunkSize = max(min(64 << 10, byteLimit / 4), 256)
    }

    var byteCount: Int { chunkBytes + open.count }

    mutating func append(_ cells: ArraySlice<Cell>, _ flags: LineFlags, _ tables: CellTables) {
        guard byteLimit > 0 else { return }
        let start = open.count
        PackedLine.append(cells, flags, tables, to: &open)
        let length = open.count - start
        for shift in [0, 8, 16, 24] { open.append(UInt8(truncatingIfNeeded: length >> shift)) }
        openLines += 1
        count += 1
        total += 1
        if open.count >= chunkSize { seal() }
    }

    private mutating func seal() {
        chunks.append(Chunk(bytes: open, lines: openLines))
        chunkBytes += open.count
        open = []
        open.reserveCapacity(chunkSize + 256)
        openLines = 0
        while chunkBytes > byteLimit, let first = chunks.first {
            chunkBytes -= first.bytes.count
            count -= first.lines
            chunks.removeFirst()
        }
    }

    mutating func clear() {
        chunks = []
        open = []
        (openLines, chunkBytes, count, total) = (0, 0, 0, 0)
    }

    /// Calls `body` with the records, newest first, until it returns false.
    func forEachNewestFirst(_ body: (ArraySlice<UInt8>) -> Bool) {
        guard Self.walk(open, body) else { return }
        for chunk in chunks.reversed() {
            guard Self.walk(chunk.bytes, body) else { return }
        }
    }

    private static func walk(_ bytes: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) -> Bool {
        var end = bytes.count
        while end > 0 {
            let length = self.length(bytes, end)
            guard body(bytes[end - 4 - length..<end - 4]) else { return false }
            end -= 4 + length
        }
        return true
    }

    /// The length of the record whose length field ends at `end`.
    private static func length(_ bytes: [UInt8], _ end: Int) -> Int {
        (1...4).reduce(0) { $0 << 8 | Int(bytes[end - $1]) }
    }

    /// The newest record; nil if there is none.
    var last: ArraySlice<UInt8>? {
        var found: ArraySlice<UInt8>?
        forEachNewestFirst {
            found = $0
            return false
        }
        return found
    }

    /// Removes the newest record.
    mutating func removeLast() {
        if open.isEmpty, let chunk = chunks.popLast() {
            open = chunk.bytes
            openLines = chunk.lines
            chunkBytes -= chunk.bytes.count
        }
        guard !open.isEmpty else { return }
        open.removeLast(4 + Self.length(open, open.count))
        openLines -= 1
        count -= 1
        total -= 1
    }
}
