import Core
import Terminal

/// The terminal of a recording as the events come.
struct RecordingTerminal {
    private(set) var emulator: Emulator
    private let isSizeFixed: Bool

    /// With a size the terminal has that one from the beginning to the end.
    init(_ header: RecordingHeader, size: TerminalSize? = nil) {
        emulator = Emulator(size: size ?? header.size)
        isSizeFixed = size != nil
    }

    init(_ emulator: Emulator) {
        self.emulator = emulator
        isSizeFixed = false
    }

    mutating func take(_ event: RecordingEvent) {
        switch event.content {
        case .output(let bytes): emulator.feed(bytes)
        case .resize(let size):
            if !isSizeFixed, size != emulator.size { emulator.resize(to: size) }
        case .input, .marker, .exit, .other: break
        }
        // Nobody is there to be answered.
        _ = emulator.takeAnswers()
    }
}
