import Core
import Runtime
import Synchronization
import Terminal

/// Writes a session's output, and tracks its effects on the terminal.
///
/// Without a screen, the bytes are passed through unchanged; with one, queries that the holder answers are removed.
/// All writes are serialized.
final class AttachDisplay: Sendable {
    private struct State: Sendable {
        var scanner = EscapeScanner()
        var filter = LiveFilter(.queries)
        var removesQueries = false
        var modes = TerminalModes()
        /// Whether a screen has been shown.
        var hasScreen = false
        var hasStatus = false

        var isBetweenSequences: Bool {
            removesQueries ? filter.isBetweenSequences : scanner.isBetweenSequences
        }

        func reset(_ columns: Int?) -> String {
            (isBetweenSequences ? "" : "\u{1B}\\") + modes.resetting(columns: columns ?? 80)
        }

        /// Returns the bytes to show, and tracks their effects.
        mutating func consume(_ bytes: [UInt8]) -> [UInt8] {
            var changed = modes
            defer { modes = changed }
            if removesQueries { return filter.filter(bytes) { changed.apply($0) } }
            scanner.scan(bytes) { changed.apply($0) }
            return bytes
        }
    }

    private let terminal: any AttachTerminal
    private let state = Mutex(State())
    /// Blocks writes while the process is being stopped.
    private let order = AsyncLock()

    init(_ terminal: any AttachTerminal) {
        self.terminal = terminal
    }

    func write(_ bytes: ArraySlice<UInt8>) async throws(VTError) {
        guard !bytes.isEmpty else { return }
        try await order.withLock { () async throws(VTError) in
            try await terminal.output.write(terminal.hasScreen ? shown(Array(bytes)) : Array(bytes))
        }
    }

    private func shown(_ bytes: [UInt8]) -> [UInt8] {
        let columns = terminal.size?.columns
        let (shown, reset) = state.withLock { state -> ([UInt8], [UInt8]?) in
            let former = state.modes
            let shown = state.consume(bytes)
            // A signal can arrive in the middle of a sequence, so the reset starts with ST, which ends the sequence.
            return (shown, state.modes == former ? nil : Array(("\u{1B}\\" + state.reset(columns)).utf8))
        }
        if let reset { terminal.prepare(reset: reset) }
        return shown
    }

    /// Restores the terminal while the process is stopped; the screen must be redrawn afterward.
    func suspend() async {
        await order.withLock { await terminal.suspend(writing: reset()) }
    }

    /// Sets whether to remove the program's queries from the output, which is necessary if the holder answers them.
    func removesQueries(_ removesQueries: Bool) {
        state.withLock { $0.removesQueries = removesQueries }
    }

    /// Sends vt's own queries to the terminal.
    func sendQueries(_ queries: [UInt8]) async throws(VTError) {
        try await terminal.output.write(queries)
    }

    /// Shows a complete screen in place of the current one, and a notice over it.
    func writeScreen(_ bytes: [UInt8], notice: String? = nil) async throws(VTError) {
        guard terminal.hasScreen else { return }
        let isFirst = state.withLock { state in
            defer { state.hasScreen = true }
            return !state.hasScreen
        }
        // Scrolls up the previous contents of the terminal, so that they are not cleared.
        let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: terminal.size?.rows ?? 0)
        try await write(isFirst ? lines[...] : reset()[...])
        try await write(bytes[...])
        if let notice { try await terminal.output.write(rows(of: notice, over: bytes)) }
    }

    /// The bytes that show a text in the last rows or, if the cursor is in one of them, in the first.
    private func rows(of text: String, over screen: [UInt8]) -> [UInt8] {
        let size = terminal.size ?? .standard
        var emulator = Emulator(size: size)
        emulator.feed(screen.span)
        var lines = [""]
        for character in "vt: \(text.sanitized)" {
            if (lines.last ?? "").displayWidth + character.displayWidth >= size.columns { lines.append("") }
            lines[lines.count - 1].append(character)
        }
        lines = Array(lines.prefix(max(1, size.rows / 2)))
        let isBelow = emulator.screen().cursor.row < size.rows - lines.count
        let first = isBelow ? size.rows - lines.count + 1 : 1
        return lines.enumerated().flatMap { index, line in Self.line("\u{1B}[0;7m\(line)\u{1B}[m", row: first + index) }
    }

    /// Returns the bytes that restore the terminal, and clears the tracked state; empty if there is nothing to undo.
    func reset() -> [UInt8] {
        guard terminal.hasScreen else { return [] }
        let columns = terminal.size?.columns
        return state.withLock { state in
            let reset = Array(state.reset(columns).utf8)
            state.scanner = EscapeScanner()
            state.filter = LiveFilter(.queries)
            state.modes = TerminalModes()
            return reset
        }
    }

    // MARK: - Connection status

    /// Shows one line at the bottom of the screen, over its contents; without a screen, prints it on standard error.
    func showStatus(_ text: String) async throws(VTError) {
        guard terminal.hasScreen else { return terminal.note(text) }
        let isPossible = state.withLock { state in
            if state.isBetweenSequences { state.hasStatus = true }
            return state.isBetweenSequences
        }
        // Nothing can be shown in the middle of a sequence without breaking it.
        guard isPossible else { return }
        let line = text.sanitized.prefix(max(10, (terminal.size?.columns ?? 80) - 5))
        try await terminal.output.write(Self.line("\u{1B}[0;7mvt: \(line)\u{1B}[m"))
    }

    func clearStatus() async throws(VTError) {
        let hasStatus = state.withLock { state in
            defer { state.hasStatus = false }
            return state.hasStatus
        }
        if hasStatus { try await terminal.output.write(Self.line("")) }
    }

    /// The bytes that write text to a row, and restore the cursor and style afterward.
    private static func line(_ text: String, row: Int = 999) -> [UInt8] {
        // Rows count from the first one of the screen only without origin mode (DECOM), which is restored as well.
        Array("\u{1B}7\u{1B}[?6l\u{1B}[\(row);1H\u{1B}[0m\u{1B}[2K\(text)\u{1B}8".utf8)
    }
}
