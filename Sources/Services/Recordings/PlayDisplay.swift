import Core
import Recording
import Terminal

/// Writes the output in a recording, removing terminal queries if it is shown on a terminal.
final class PlayDisplay {
    private let terminal: any AttachTerminal
    private let display: AttachDisplay
    private var filter = LiveFilter()
    private var pending: [UInt8] = []

    /// The number of pending bytes that triggers an immediate write.
    private static let batchBytes = 64 << 10

    init(_ terminal: any AttachTerminal) {
        self.terminal = terminal
        display = AttachDisplay(terminal)
    }

    var hasKeyboard: Bool { terminal.hasKeyboard }

    /// Warns if the terminal is too small for the recording.
    func begin(_ header: RecordingHeader) {
        guard terminal.hasScreen, let size = terminal.size else { return }
        let needed = header.size
        guard size.columns < needed.columns || size.rows < needed.rows else { return }
        terminal.note(
            "the recording has \(needed.columns)x\(needed.rows) cells, but this terminal has "
                + "\(size.columns)x\(size.rows)"
        )
    }

    /// Queues bytes; returns whether the queue should be flushed now.
    func add(_ bytes: [UInt8]) -> Bool {
        pending += terminal.hasScreen ? filter.filter(bytes) : bytes
        return pending.count >= Self.batchBytes
    }

    func flush() async throws(VTError) {
        let bytes = pending
        pending = []
        try await display.write(bytes[...])
    }

    /// Replaces the displayed screen with the screen of `emulator`.
    func show(_ emulator: Emulator) async throws(VTError) {
        pending = []
        filter = LiveFilter()
        try await display.write(display.reset()[...])
        try await display.write(StateRenderer.render(emulator)[...])
    }

    /// Writes the queue and clears the screen, before the recording restarts.
    func clear() async throws(VTError) {
        try await flush()
        filter = LiveFilter()
        guard terminal.hasScreen else { return }
        try await display.write((display.reset() + Array("\u{1B}[H\u{1B}[2J".utf8))[...])
    }

    /// Restores the terminal while the process is stopped; the screen must be redrawn afterward.
    func suspend() async {
        await display.suspend()
    }

    /// Passes the reset sequences to the terminal; must be called no matter how playback ends.
    func leave() {
        terminal.leave(writing: display.reset())
    }
}
