import Core
import Terminal

/// Writes a recording as the text that it showed: events in, lines out.
///
/// That is every line that left the screen, the last picture of each stay on the alternate screen, and at the end what
/// is on the screen. A line that wrapped is one line.
package struct TextWriter {
    private var emulator: Emulator
    private var text: [UInt8] = []
    private var line = ""

    /// So many rows may wait in the scrollback, which costs little memory and reads them in one go.
    private static let rowLimit = 2000

    package init(_ header: RecordingHeader) {
        emulator = Emulator(size: header.size)
    }

    package mutating func write(_ event: RecordingEvent) {
        switch event.content {
        case .output(let bytes):
            // The picture before the bytes that end the stay: most programs clear it as they leave.
            let picture = emulator.isAlternate ? emulator : nil
            emulator.feed(bytes)
            _ = emulator.takeAnswers()
            if let picture, !emulator.isAlternate { append(TextRenderer.render(picture.screen(), joined: true)) }
            if emulator.scrollbackCount > Self.rowLimit { takeRows() }
        case .resize(let size):
            takeRows()
            emulator.resize(to: size)
        case .input, .marker, .exit, .other:
            break
        }
    }

    /// Writes what is on the screen.
    package mutating func finish() {
        takeRows()
        append(line + TextRenderer.render(emulator.screen(), joined: true))
        line = ""
    }

    private mutating func takeRows() {
        for row in emulator.takeScrollback() {
            guard !row.isWrapped else {
                for cell in row.cells { line += cell.shown }
                continue
            }
            append(line + row.text + "\n")
            line = ""
        }
    }

    private mutating func append(_ more: String) {
        text += Array(more.utf8)
    }

    /// How many bytes `take` would return.
    package var count: Int { text.count }

    /// Returns what was written since the last call.
    package mutating func take() -> [UInt8] {
        defer { text = [] }
        return text
    }
}
