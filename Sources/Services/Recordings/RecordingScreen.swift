import Core
import Recording
import Terminal

/// What a recording shows at some place, as the events up to there make it.
package struct RecordingScreen {
    private var emulator: Emulator
    /// The beginning of a control sequence that the last event left unfinished.
    private var open: [UInt8] = []

    /// A sequence of which more than this is there is not finished elsewhere.
    private static let openLimit = 1 << 20
    /// Only for lines that come back when the screen grows.
    private static let scrollbackBytes = 256 << 10
    private static let reset = Array("\u{1B}c".utf8)

    package init(_ size: TerminalSize) {
        emulator = Emulator(size: size, scrollbackBytes: Self.scrollbackBytes)
    }

    package var size: TerminalSize { emulator.size }

    package mutating func take(_ event: RecordingEvent) {
        switch event.content {
        case .output(let bytes):
            emulator.feed(bytes)
            _ = emulator.takeAnswers()
            keepOpen(bytes)
        case .resize(let size):
            emulator.resize(to: size)
        case .input, .marker, .exit, .other:
            break
        }
    }

    private mutating func keepOpen(_ bytes: [UInt8]) {
        guard !emulator.isBetweenSequences else {
            open = []
            return
        }
        if let start = bytes.lastIndex(of: 0x1B) ?? (open.isEmpty ? Self.lastControl(in: bytes) : nil) {
            open = Array(bytes[start...])
        } else {
            open += bytes
        }
        if open.count > Self.openLimit { open = [] }
    }

    /// Where the last of the controls U+0090 to U+009F stands, which begin sequences as well.
    private static func lastControl(in bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast().last { bytes[$0] == 0xC2 && (0x90...0x9F).contains(bytes[$0 + 1]) }
    }

    /// Returns output that brings a terminal of this size to where this one is, also within a control sequence.
    ///
    /// A terminal that is not fresh is reset first (RIS).
    package func state(afterReset: Bool) -> [UInt8] {
        (afterReset ? Self.reset : []) + StateRenderer.render(emulator) + open
    }
}
