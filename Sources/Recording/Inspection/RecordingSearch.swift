import Core
import Terminal

/// Searches the lines shown in a recording's terminal for an expression.
///
/// Wrapped rows form one line. Each line counts once per appearance on the screen, however often it is repainted
/// while it is there. A line is examined when it is complete: when the cursor leaves it, when it is erased or scrolls
/// off, or at the end. Its time is the time of the event that completed it.
package struct RecordingSearch {
    package struct Match: Hashable, Sendable {
        package var time: RecordingTime
        /// The first row of the line, numbered from 0; nil if the line was not on the screen after any event.
        package var row: Int?
        package var line: String
        /// The part of the line that matches the expression.
        package var text: String
    }

    private let pattern: LinePattern

    package init(_ pattern: LinePattern) {
        self.pattern = pattern
    }

    /// Calls `found` for each matching line until `found` returns false.
    package func search(_ source: RecordingFile, _ found: (Match) throws(VTError) -> Bool) throws(VTError) {
        var reading: Reading?
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header): reading = Reading(header.size)
            case .event(let event): try reading?.consume(event)
            }
            return try report(&reading, found)
        }
        reading?.finish()
        _ = try report(&reading, found)
    }

    private func report(
        _ reading: inout Reading?,
        _ found: (Match) throws(VTError) -> Bool
    ) throws(VTError) -> Bool {
        guard let lines = reading?.takeLines(), !lines.isEmpty else { return true }
        for line in lines {
            guard let range = pattern.firstMatch(in: line.text, isLineStart: line.isWhole) else { continue }
            let match = Match(
                time: line.time,
                row: line.row ?? reading?.row(of: line.text),
                line: String(decoding: line.text, as: UTF8.self),
                text: String(decoding: line.text[range], as: UTF8.self)
            )
            guard try found(match) else {
                reading = nil
                return false
            }
        }
        return true
    }
}

/// The lines that appear in the terminal of a recording.
private struct Reading {
    struct Line {
        var text: ArraySlice<UInt8>
        var isWhole: Bool
        var time: RecordingTime
        var row: Int?
    }

    /// The current state of an incomplete line.
    private struct Draft {
        var text: ArraySlice<UInt8>
        /// Whether the text is the end of a longer line.
        var isEnd: Bool
        var time: RecordingTime
        var row: Int?

        func isOf(_ line: ArraySlice<UInt8>) -> Bool {
            isEnd ? line.suffix(text.count) == text : line == text
        }
    }

    private var screen: ScreenWatch
    private var drafts: [Draft] = []
    private var lines: [Line] = []
    private var time = RecordingTime.start

    init(_ size: TerminalSize) {
        screen = ScreenWatch(size: size, reportsOnce: true)
    }

    mutating func consume(_ event: RecordingEvent) throws(VTError) {
        time = event.time
        switch event.content {
        case .output(let bytes):
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(screen.pieceBytes)
                rest = rest.dropFirst(piece.count)
                screen.feed(piece)
                collect()
            }
            seeScreen()
        case .resize(let size):
            guard size != screen.size else { return }
            finish()
            screen.resize(to: size)
            drafts = []
        case .input, .marker, .exit, .other: break
        }
    }

    /// Treats the lines on the screen as complete.
    mutating func finish() {
        screen.collectChangedLines()
        collect()
    }

    /// Returns the lines completed since the last call.
    mutating func takeLines() -> [Line] {
        defer { lines = [] }
        return lines
    }

    /// Returns the row of a line on the screen; the last such row if several lines are equal.
    func row(of text: ArraySlice<UInt8>) -> Int? {
        var row: Int?
        screen.forEachLineShown { line in
            if Self.trimmed(line.text) == text { row = line.row }
            return true
        }
        return row
    }

    private mutating func collect() {
        let (time, drafts) = (time, drafts)
        var lines = lines
        screen.takeLines { line in
            let text = Self.trimmed(line.text)
            let draft = drafts.first { $0.isOf(text) }
            lines.append(Line(text: text, isWhole: line.isWhole, time: draft?.time ?? time, row: draft?.row))
            return true
        }
        self.lines = lines
    }

    /// Examines the screen at the end of an event, and updates the drafts of its incomplete lines.
    private mutating func seeScreen() {
        screen.seeScreen()
        var next: [Draft] = []
        screen.forEachLineChanged { line, isEnd in
            let text = Self.trimmed(line.text)
            let draft = drafts.first { $0.isEnd == isEnd && $0.text == text }
            next.append(Draft(text: text, isEnd: isEnd, time: draft?.time ?? time, row: line.row))
        }
        drafts = next
    }

    /// The line without trailing spaces.
    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.lastIndex { $0 != 0x20 }.map { text[...$0] } ?? text.prefix(0)
    }
}
