import Core
import Services
import Synchronization
import Terminal

/// Copies the output of a recorded command to standard output.
///
/// Queries are removed on a terminal, because the replies would be typed into the user's shell; the terminal is reset
/// at the end.
final class MirrorPrinter: OutputReceiver {
    private struct State {
        var filter = LiveFilter()
        var scanner = EscapeScanner()
        var modes = TerminalModes()
    }

    private let output: any OutputQueue
    private let hasScreen: Bool
    private let state = Mutex(State())

    init(_ context: Context) {
        output = context.queues.output()
        hasScreen = context.console.output.isTerminal
    }

    /// Whether the output has no reader anymore.
    var hasLostReader: Bool { output.hasLostReader }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await output.write(hasScreen ? shown(bytes) : bytes)
        return true
    }

    /// Output is only released after the recording has reported that.
    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {}

    /// Returns when everything has been written, and the terminal is restored.
    func finish() async throws(VTError) {
        if hasScreen {
            let reset = state.withLock { state in
                Array(((state.scanner.isBetweenSequences ? "" : "\u{1B}\\") + state.modes.resetting()).utf8)
            }
            try? await output.write(reset)
        }
        do throws(VTError) {
            try await output.finish()
        } catch {
            guard output.hasLostReader else { throw error }
        }
    }

    private func shown(_ bytes: [UInt8]) -> [UInt8] {
        state.withLock { state in
            let shown = state.filter.filter(bytes)
            var modes = state.modes
            state.scanner.scan(shown) { modes.apply($0) }
            state.modes = modes
            return shown
        }
    }
}
