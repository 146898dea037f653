import Core
import POSIX
import Services
import Synchronization

/// Copies what a recorded command writes to standard output.
///
/// A terminal gets no questions, whose answers would be typed for whoever runs vt, and is set back at the end.
final class MirrorPrinter: OutputReceiver {
    private struct State {
        var filter = LiveFilter()
        var scanner = EscapeScanner()
        var modes = TerminalModes()
    }

    private let output = ThreadedOutput(StandardStream.output.rawValue, name: StandardStream.output.name)
    private let hasScreen = StandardStream.output.isTerminal
    private let state = Mutex(State())

    /// Whether nobody reads the output any more.
    var hasLostReader: Bool { output.hasLostReader }

    func output(_ bytes: [UInt8], at offset: UInt64) async throws(VTError) -> Bool {
        try await output.write(hasScreen ? shown(bytes) : bytes)
        return true
    }

    /// Output is only released where the recording has told of it.
    func gap(from start: UInt64, to end: UInt64) async throws(VTError) {}

    /// Returns when all is written, and the terminal as it was.
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
