import Core
import Terminal

/// The terminal of a recording, updated with each event.
struct RecordingTerminal {
    private(set) var emulator: Emulator
    private let isSizeFixed: Bool

    /// If a size is given, the terminal keeps it throughout.
    init(_ header: RecordingHeader, size: TerminalSize? = nil) {
        emulator = Emulator(size: size ?? header.size)
        isSizeFixed = size != nil
    }

    init(_ emulator: Emulator) {
        self.emulator = emulator
        isSizeFixed = false
    }

    mutating func apply(_ event: RecordingEvent) {
        switch event.content {
        case .output(let bytes): emulator.feed(bytes)
        case .resize(let size):
            if !isSizeFixed, size != emulator.size { emulator.resize(to: size) }
        case .input, .marker, .exit, .other: break
        }
        // Replies are not needed.
        _ = emulator.takeAnswers()
    }
}
