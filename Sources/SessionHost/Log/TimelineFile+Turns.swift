import Core
import System

/// Reads the marks of turns, newest first.
extension TimelineFile {
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
