import Core
import Services
import Synchronization
import Terminal

/// Copies the output of a recorded command to standard output.
///
/// On a terminal, queries are removed, because the replies would become input to the user's shell, and the terminal is
/// reset at the end.
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

    /// Whether the reader of standard output has closed the pipe.
    var hasLostReader: Bool { output.hasLostReader }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await output.write(hasScreen ? shown(bytes) : bytes)
        return true
    }

    /// Does nothing: the recording receives the same gap and reports it.
    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {}

    /// Resets the terminal, and returns when everything has been written.
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
