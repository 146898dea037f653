import Core
import Recording
import Terminal

/// The lines on those screens of a recording that stay unchanged for more than two seconds.
struct ScreenLines {
    private var emulator: Emulator
    private var time = RecordingTime.start
    private(set) var lines: Set<String> = []

    init(_ size: TerminalSize) {
        emulator = Emulator(size: size)
    }

    mutating func take(_ event: RecordingEvent) {
        let isStill = (event.time - time).microseconds > 2_000_000
        // The line with the cursor may be incomplete.
        if isStill, !emulator.screen().isCursorVisible || emulator.isAlternate { add() }
        time = event.time
        switch event.content {
        case .output(let bytes): emulator.feed(bytes)
        case .resize(let size): emulator.resize(to: size)
        default: break
        }
    }

    private mutating func add() {
        let text = TextRenderer.render(emulator.screen(), joined: true)
        for line in text.split(separator: "\n") { lines.insert(String(line)) }
    }
}
