import Core
import Recording
import Terminal

/// Shows a recording: on a terminal without what it would answer, elsewhere byte for byte.
final class PlayDisplay {
    private let terminal: any AttachTerminal
    private let display: AttachDisplay
    private var filter = LiveFilter()
    private var pending: [UInt8] = []

    /// More is written at once.
    private static let batchBytes = 64 << 10

    init(_ terminal: any AttachTerminal) {
        self.terminal = terminal
        display = AttachDisplay(terminal)
    }

    var hasKeyboard: Bool { terminal.hasKeyboard }

    /// Tells of a terminal that has no room for the recording.
    func begin(_ header: RecordingHeader) {
        guard terminal.hasScreen, let size = terminal.size else { return }
        let needed = header.size
        guard size.columns < needed.columns || size.rows < needed.rows else { return }
        terminal.note(
            "the recording has \(needed.columns)x\(needed.rows) cells, but this terminal has "
                + "\(size.columns)x\(size.rows)"
        )
    }

    /// Shows bytes with those that come next; returns whether it is time to write them.
    func add(_ bytes: [UInt8]) -> Bool {
        pending += terminal.hasScreen ? filter.filter(bytes) : bytes
        return pending.count >= Self.batchBytes
    }

    func flush() async throws(VTError) {
        let bytes = pending
        pending = []
        try await display.write(bytes[...])
    }

    /// Shows what is on another terminal in the place of what is there.
    func show(_ emulator: Emulator) async throws(VTError) {
        pending = []
        filter = LiveFilter()
        try await display.write(display.reset()[...])
        try await display.write(StateRenderer.render(emulator)[...])
    }

    /// Makes the screen empty, for a recording that begins again.
    func clear() async throws(VTError) {
        try await flush()
        filter = LiveFilter()
        guard terminal.hasScreen else { return }
        try await display.write((display.reset() + Array("\u{1B}[H\u{1B}[2J".utf8))[...])
    }

    /// Gives the terminal back while the process is stopped; what is shown is to be shown anew.
    func suspend() async {
        await display.suspend()
    }

    /// Has the terminal set back, whichever way playing ends.
    func leave() {
        terminal.leave(writing: display.reset())
    }
}
