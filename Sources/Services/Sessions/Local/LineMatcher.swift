import Core
import Terminal

/// Matches expressions against the lines of output as shown by a terminal.
///
/// The terminal is blank before the first byte. A line is matched when it is complete, before it is overwritten from
/// its start, erased or scrolled off, and in its current state when there is no more output for now; the result does
/// not depend on how the output is split. `$` matches after the last character of a line, and also after trailing
/// spaces that a program wrote.
struct LineMatcher: Sendable {
    /// A match of the expression.
    struct Match: Hashable, Sendable {
        /// The offset after the byte that completed the match.
        var offset: UInt64
        var text: String
        var line: String
        /// The first row of the line, numbered from 0; nil if it left the screen immediately.
        var row: Int?
        /// The index of the expression.
        var pattern: Int
    }

    private let patterns: [LinePattern]
    private var size: TerminalSize
    private var screen: ScreenWatch
    private var past: Past

    init(_ patterns: [LinePattern], size: TerminalSize) {
        self.patterns = patterns
        self.size = size
        screen = ScreenWatch(size: size)
        past = Past(start: 0, screen: screen)
    }

    /// The end of the output that has been processed.
    var position: UInt64 { past.end }

    /// Returns the first match in these bytes; `isLast` means that no more are available for now.
    mutating func match(_ bytes: [UInt8], at offset: UInt64, isLast: Bool) -> Match? {
        if past.end != offset { begin(at: offset) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(screen.pieceBytes)
            rest = rest.dropFirst(piece.count)
            past.add(piece, screen)
            screen.feed(piece)
            if let match = nextMatch() { return match }
        }
        guard isLast else { return nil }
        screen.collectChangedLines()
        return nextMatch()
    }

    /// Matches the current lines before a gap; output after it starts on a blank screen.
    mutating func end() -> Match? {
        screen.collectChangedLines()
        return nextMatch()
    }

    /// Resizes the terminal for the output that follows.
    mutating func resize(to size: TerminalSize) {
        self.size = size
        screen.resize(to: size)
        past = Past(start: past.end, screen: screen)
    }

    private mutating func begin(at offset: UInt64) {
        screen = ScreenWatch(size: size)
        past = Past(start: offset, screen: screen)
    }

    // MARK: - Matching

    /// Returns the match that was complete first in the first line that matches.
    private mutating func nextMatch() -> Match? {
        var found: [Found] = []
        let patterns = patterns
        screen.takeLines { line in
            found = patterns.indices.compactMap { index in
                patterns[index].match(in: line).map { Found(pattern: index, text: $0.text, line: $0.line) }
            }
            return found.isEmpty
        }
        return found.map { place(of: $0) }.min { $0.offset < $1.offset }
    }

    // MARK: - Position

    /// Finds the byte that completed the match, by binary search.
    private func place(of found: Found) -> Match {
        var start = past.start
        var screen = past.screen
        var bytes = past.bytes[...]
        var row = shows(found, &screen)
        if row == nil {
            while bytes.count > 1 {
                let half = bytes.prefix(bytes.count / 2)
                var copy = screen
                copy.feed(half)
                row = shows(found, &copy)
                if row != nil {
                    bytes = half
                } else {
                    screen = copy
                    bytes = bytes.dropFirst(half.count)
                    start += UInt64(half.count)
                }
            }
            start += UInt64(bytes.count)
            screen.feed(bytes)
            row = shows(found, &screen)
        }
        return Match(
            offset: start,
            text: String(decoding: found.text, as: UTF8.self),
            line: String(decoding: found.line, as: UTF8.self),
            row: row.flatMap { $0 >= 0 ? $0 : nil },
            pattern: found.pattern
        )
    }

    /// The row of a match on a screen, or -1 if the match is no longer on the screen; nil if it has not been shown.
    ///
    /// An empty match would fit any blank line, so it counts only in lines that were collected because they changed.
    private func shows(_ found: Found, _ screen: inout ScreenWatch) -> Int? {
        let pattern = patterns[found.pattern]
        var row: Int?
        screen.takeLines { line in
            if pattern.match(in: line)?.text == found.text { row = -1 }
            return row == nil
        }
        guard !found.text.isEmpty else { return row }
        screen.forEachLineShown { line in
            guard pattern.match(in: line)?.text == found.text else { return true }
            row = line.row
            return false
        }
        return row
    }
}

/// A matching part of a line, and the line.
private struct Found {
    /// The index of the expression.
    var pattern: Int
    var text: ArraySlice<UInt8>
    var line: ArraySlice<UInt8>
}

extension LinePattern {
    /// The text in a line that matches, and the line without the spaces that had to be ignored.
    fileprivate func match(in line: ScreenWatch.Line) -> (text: ArraySlice<UInt8>, line: ArraySlice<UInt8>)? {
        if let range = firstMatch(in: line.text, isLineStart: line.isWhole) {
            return (line.text[range], line.text)
        }
        guard line.text.last == UInt8(ascii: " ") else { return nil }
        let last = line.text.lastIndex { $0 != UInt8(ascii: " ") }
        let trimmed = last.map { line.text[...$0] } ?? []
        return firstMatch(in: trimmed, isLineStart: line.isWhole).map { (trimmed[$0], trimmed) }
    }
}

/// The most recent output, and the screen before it.
private struct Past: Sendable {
    private(set) var start: UInt64
    private(set) var screen: ScreenWatch
    private(set) var bytes: [UInt8] = []
    /// A later screen, and the index of the first byte that it does not include.
    private var next: (index: Int, screen: ScreenWatch)?

    private static let limitBytes = 64 << 10

    init(start: UInt64, screen: ScreenWatch) {
        self.start = start
        self.screen = screen
    }

    var end: UInt64 { start + UInt64(bytes.count) }

    /// Adds the bytes that follow a screen whose lines have all been examined.
    mutating func add(_ piece: ArraySlice<UInt8>, _ before: ScreenWatch) {
        if let next, bytes.count - next.index >= Self.limitBytes {
            screen = next.screen
            start += UInt64(next.index)
            bytes.removeFirst(next.index)
            self.next = (bytes.count, before)
        } else if next == nil, bytes.count >= Self.limitBytes {
            next = (bytes.count, before)
        }
        bytes += piece
    }
}
