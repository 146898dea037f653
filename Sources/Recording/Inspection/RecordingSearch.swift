import Core
import Terminal

/// Looks for an expression in the lines that the terminal of a recording showed.
///
/// Rows that wrapped are one line. Each line counts once for each time that it came to be on the screen: while it is
/// there it may be painted again as often as a program likes. A line is looked at when it is done, that is when the
/// cursor leaves it, when it is erased or scrolls away, or at the end; its time is that of the event which made it as it
/// is.
package struct RecordingSearch {
    package struct Match: Hashable, Sendable {
        package var time: RecordingTime
        /// The first row of the line, counted from 0; nil where no event left it on the screen.
        package var row: Int?
        package var line: String
        /// The part that matched.
        package var text: String
    }

    private let pattern: LinePattern

    package init(_ pattern: LinePattern) {
        self.pattern = pattern
    }

    /// Calls with each line that matches until it returns false.
    package func search(_ source: RecordingFile, _ found: (Match) throws(VTError) -> Bool) throws(VTError) {
        var reading: Reading?
        try source.forEach { item throws(VTError) in
            switch item {
            case .header(let header): reading = Reading(header.size)
            case .event(let event): try reading?.take(event)
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

/// The terminal of a recording, line by line.
private struct Reading {
    struct Line {
        var text: ArraySlice<UInt8>
        var isWhole: Bool
        var time: RecordingTime
        var row: Int?
    }

    /// A line that is not done, as it is by now.
    private struct Draft {
        var text: ArraySlice<UInt8>
        /// Whether the text is the end of a longer one.
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
        screen = ScreenWatch(size: size, givesOnce: true)
    }

    mutating func take(_ event: RecordingEvent) throws(VTError) {
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

    /// What is on the screen is as done as it will be.
    mutating func finish() {
        screen.lookAtScreen()
        collect()
    }

    /// Returns the lines that are done since the last call.
    mutating func takeLines() -> [Line] {
        defer { lines = [] }
        return lines
    }

    /// Where the screen shows a line; of several that are equal, the last.
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

    /// An event is over: what it left on the screen has been seen.
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

    /// The line without the spaces at its end.
    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.lastIndex { $0 != 0x20 }.map { text[...$0] } ?? text.prefix(0)
    }
}
