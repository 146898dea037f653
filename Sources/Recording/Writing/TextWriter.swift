import Core
import Terminal

/// Writes a recording as the text that it showed: events in, lines out.
///
/// That is every line that left the screen, the last picture of each stay on the alternate screen, and at the end what
/// is on the screen. A line that wrapped is one line.
package struct TextWriter {
    private var emulator: Emulator
    private var text: [UInt8] = []
    /// The beginning of a line that goes on on the screen.
    private var line: [UInt8] = []

    /// So much may wait in the emulator, where it is written in one go.
    private static let logLimit = 64 << 10
    /// Of a longer line the beginning is written before its end is known.
    private static let lineLimit = 64 << 10

    package init(_ header: RecordingHeader) {
        emulator = Emulator(size: header.size, scrollbackBytes: 0)
        emulator.keepLog()
    }

    package mutating func write(_ event: RecordingEvent) {
        switch event.content {
        case .output(let bytes):
            // The picture before the bytes that end the stay: most programs clear it as they leave.
            let picture = emulator.isAlternate ? emulator : nil
            emulator.feed(bytes)
            _ = emulator.takeAnswers()
            if let picture, !emulator.isAlternate { write(picture) }
            if emulator.logCount > Self.logLimit { takeLog() }
        case .resize(let size):
            emulator.resizeKeepingLog(to: size)
        case .input, .marker, .exit, .other:
            break
        }
    }

    /// Writes what is on the screen.
    package mutating func finish() {
        takeLog()
        text += line + Self.shown(emulator)
    }

    /// Writes the last picture of a stay, behind the lines before it.
    private mutating func write(_ picture: Emulator) {
        takeLog()
        if !line.isEmpty { endLine() }
        text += Self.shown(picture)
    }

    /// Takes the lines that left the screen, without the blanks at their ends.
    private mutating func takeLog() {
        let log = emulator.takeLog()
        var rest = log[...]
        while let end = rest.firstIndex(of: 0x0A) {
            line += rest[..<end]
            endLine()
            rest = rest[(end + 1)...]
        }
        line += rest
        if line.count > Self.lineLimit {
            text += line
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func endLine() {
        while line.last == 0x20 { line.removeLast() }
        text += line
        text.append(0x0A)
        line.removeAll(keepingCapacity: true)
    }

    private static func shown(_ emulator: Emulator) -> [UInt8] {
        Array(TextRenderer.render(emulator.screen(), joined: true).utf8)
    }

    /// How many bytes `take` would return.
    package var count: Int { text.count }

    /// Returns what was written since the last call.
    package mutating func take() -> [UInt8] {
        defer { text = [] }
        return text
    }
}
