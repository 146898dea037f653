import Core
import POSIX
import Synchronization

/// Writes a session's output, and keeps track of what it does to the terminal.
///
/// Without a screen the bytes go through as they are, else without queries where the holder answers these. All is written
/// by one task at a time.
final class AttachDisplay: Sendable {
    private struct State: Sendable {
        var scanner = EscapeScanner()
        var filter = LiveFilter(.queries)
        var removesQueries = false
        var modes = TerminalModes()
        /// Whether a screen was shown.
        var hasScreen = false
        var hasStatus = false

        var isBetweenSequences: Bool {
            removesQueries ? filter.isBetweenSequences : scanner.isBetweenSequences
        }

        func reset(_ columns: Int?) -> String {
            (isBetweenSequences ? "" : "\u{1B}\\") + modes.resetting(columns: columns ?? 80)
        }

        /// Returns what is to be shown, and follows what it does.
        mutating func take(_ bytes: [UInt8]) -> [UInt8] {
            var changed = modes
            defer { modes = changed }
            if removesQueries { return filter.filter(bytes) { changed.apply($0) } }
            scanner.scan(bytes) { changed.apply($0) }
            return bytes
        }
    }

    private let terminal: any AttachTerminal
    private let state = Mutex(State())
    /// Nothing is written while the process is about to stop.
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
            let shown = state.take(bytes)
            // A fault may cut a sequence in two.
            return (shown, state.modes == former ? nil : Array(("\u{1B}\\" + state.reset(columns)).utf8))
        }
        if let reset { terminal.prepare(reset: reset) }
        return shown
    }

    /// Gives the terminal back while the process is stopped; what the session shows is to be shown anew.
    func suspend() async {
        await order.withLock { await terminal.suspend(writing: reset()) }
    }

    /// Says whether the holder answers the program's queries, so that the terminal is not to.
    func removesQueries(_ removesQueries: Bool) {
        state.withLock { $0.removesQueries = removesQueries }
    }

    /// Asks the terminal something of vt's own.
    func ask(_ questions: [UInt8]) async throws(VTError) {
        try await terminal.output.write(questions)
    }

    /// Shows a whole screen in the place of what is there.
    func writeScreen(_ bytes: [UInt8]) async throws(VTError) {
        guard terminal.hasScreen else { return }
        let isFirst = state.withLock { state in
            defer { state.hasScreen = true }
            return !state.hasScreen
        }
        // What stood on the terminal before moves up, out of the way of what is about to be cleared.
        let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: terminal.size?.rows ?? 0)
        try await write(isFirst ? lines[...] : reset()[...])
        try await write(bytes[...])
    }

    /// Bytes that leave the terminal as it was before; none where nothing is to be undone.
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

    // MARK: - The state of the link

    /// Shows one line at the bottom of the screen, over what is there, or without a screen on standard error.
    func showStatus(_ text: String) async throws(VTError) {
        guard terminal.hasScreen else { return terminal.note(text) }
        let isPossible = state.withLock { state in
            if state.isBetweenSequences { state.hasStatus = true }
            return state.isBetweenSequences
        }
        // Amid a sequence nothing can be shown without breaking it.
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

    /// Writes into the last row; cursor and looks are saved and brought back.
    private static func line(_ text: String) -> [UInt8] {
        Array("\u{1B}7\u{1B}[999;1H\u{1B}[0m\u{1B}[2K\(text)\u{1B}8".utf8)
    }
}
