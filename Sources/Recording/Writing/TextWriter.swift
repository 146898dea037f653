import Core
import Terminal

/// Writes the text that a recording showed, line by line.
///
/// The text consists of every line that left the screen, the last screen of each use of the alternate screen, and the
/// final screen. Wrapped rows form one line.
package struct TextWriter {
    private var emulator: Emulator
    private var text: [UInt8] = []
    /// The start of a line that continues on the screen.
    private var line: [UInt8] = []

    /// The maximum number of bytes of text buffered in the emulator.
    private static let logLimit = 64 << 10
    /// The maximum number of bytes buffered for a line; the start of a longer line is written before its end is known.
    private static let lineLimit = 64 << 10

    package init(_ header: RecordingHeader) {
        emulator = Emulator(size: header.size, scrollbackBytes: 0)
        emulator.keepLog()
    }

    package mutating func write(_ event: RecordingEvent) {
        switch event.content {
        case .output(let bytes):
            // Saved before the bytes are processed, because most programs clear the alternate screen before leaving it.
            let picture = emulator.isAlternate ? emulator : nil
            emulator.feed(bytes)
            _ = emulator.takeAnswers()
            if let picture, !emulator.isAlternate { write(picture) }
            if emulator.logCount > Self.logLimit { appendLog() }
        case .resize(let size):
            emulator.resizeKeepingLog(to: size)
        case .input, .marker, .exit, .other:
            break
        }
    }

    /// Writes the contents of the screen.
    package mutating func finish() {
        appendLog()
        text += line + Self.shown(emulator)
    }

    /// Writes the last contents of the alternate screen, after the lines that precede it.
    private mutating func write(_ picture: Emulator) {
        appendLog()
        if !line.isEmpty { endLine() }
        text += Self.shown(picture)
    }

    /// Appends the lines that left the screen, without trailing blanks.
    private mutating func appendLog() {
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

    /// The number of bytes that `take` would return.
    package var count: Int { text.count }

    /// Returns the bytes written since the last call.
    package mutating func take() -> [UInt8] {
        defer { text = [] }
        return text
    }

    /// Calls `body` with the bytes written since the last call, if any, and reuses their memory.
    package mutating func drain<Failure>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        if !text.isEmpty { try body(text) }
        text.removeAll(keepingCapacity: true)
    }
}
