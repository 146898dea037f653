import Core
import Glibc
import System

/// The timeline of a session, or the file with its released turns, as it is read.
///
/// Released parts read as NULs, and the line after them may be incomplete. The last line may be incomplete, too.
struct TimelineFile: ~Copyable {
    let file: OpenFile

    /// The number of bytes to read at once; vt never writes lines longer than this, and such lines are skipped.
    static let partBytes = 64 << 10

    init(path: String) throws(VTError) {
        file = try OpenFile(opening: path, O_RDONLY)
    }

    /// Returns at most `limit` bytes; none at the end.
    func read(from position: UInt64, limit: Int = partBytes) throws(VTError) -> [UInt8] {
        guard let offset = Int(exactly: position) else { return [] }
        return try file.read(at: offset, limit: limit)
    }

    // MARK: - Events

    /// Returns the events in the part that starts at a position; none if no complete line follows.
    func page(from position: UInt64) throws(VTError) -> SessionLogPage {
        var position = position
        while true {
            let bytes = try read(from: position)
            let released = bytes.prefix { $0 == 0 }.count
            if released > 0 {
                position += UInt64(released)
                if released == bytes.count { position = FileSpace.firstData(file.number, from: position) ?? position }
                continue
            }
            guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
                guard bytes.count == Self.partBytes, let next = try endOfLine(from: position) else {
                    return SessionLogPage([], next: position)
                }
                position = next
                continue
            }
            let events = bytes[..<last].split(separator: UInt8(ascii: "\n")).compactMap { SessionLogEvent(line: $0) }
            position += UInt64(last) + 1
            guard events.isEmpty else { return SessionLogPage(events, next: position) }
        }
    }

    /// The position after the line that contains `position`; nil if the line is incomplete.
    private func endOfLine(from position: UInt64) throws(VTError) -> UInt64? {
        var position = position
        while true {
            let bytes = try read(from: position)
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return position + UInt64(end) + 1 }
            guard !bytes.isEmpty else { return nil }
            position += UInt64(bytes.count)
        }
    }

    // MARK: - Turns

    /// The numbers of the turns whose ends are not in the file, oldest first.
    func openTurns() throws(VTError) -> [UInt64] {
        var (ended, open): (Set<UInt64>, [UInt64]) = ([], [])
        _ = try forEachTurnMark { event in
            guard case .shell(let mark) = event.kind else { return true }
            // The mark of the end precedes that of the start.
            let isKnown = !ended.insert(mark.turn).inserted
            if !isKnown, case .command = mark.kind { open.append(mark.turn) }
            return true
        }
        return open.reversed()
    }

    /// Calls `body` with each mark until it returns false; returns whether it never did.
    func forEachTurnMark(_ body: (SessionLogEvent) throws(VTError) -> Bool) throws(VTError) -> Bool {
        var end = FileSpace.length(file.number)
        // The beginning of the last line examined, which starts in the part before it.
        var rest: [UInt8] = []
        while end > 0 {
            let start = end - min(end, UInt64(Self.partBytes))
            var bytes = try read(from: start, limit: Int(end - start)) + rest
            let released = bytes.lastIndex(of: 0)
            if let released { bytes.removeSubrange(...released) }
            let isFirst = start == 0 && released == nil
            guard try Self.forEachTurnMark(in: bytes, isFirst: isFirst, body) else { return false }
            guard released == nil else { return true }
            rest = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
            // vt never writes lines of this length.
            if rest.count > Self.partBytes { rest = [] }
            end = start
        }
        return true
    }

    /// Calls `body` with the marks in the complete lines of a part, from the last one; the first line is complete only
    /// if the part is the first one.
    private static func forEachTurnMark(
        in bytes: [UInt8],
        isFirst: Bool,
        _ body: (SessionLogEvent) throws(VTError) -> Bool
    ) throws(VTError) -> Bool {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        if !isFirst { lines = lines.dropFirst() }
        for line in lines.reversed() where SessionLogEvent.isTurnMark(line) {
            guard let event = SessionLogEvent(line: line) else { continue }
            guard try body(event) else { return false }
        }
        return true
    }
}
