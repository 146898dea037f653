import Core
import Synchronization

/// Renders a session's screen with an emulator that follows the output.
///
/// Each call continues where the previous one ended. All calls must pass the log of the same session.
package final class EmulatorScreen: Sendable {
    private let state = Mutex<LogEmulator?>(nil)
    /// The limit of the memory for lines that have left the screen, which return when the screen grows.
    private static let scrollbackBytes = 64 << 10
    /// The colors of the attached terminal.
    private let colors = Mutex(TerminalColors())

    package init() {}

    /// Processes the output up to `end` in advance, so that a later call to `screen` is faster.
    package func follow(_ log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError) {
        try state.withLock { state throws(VTError) in
            if state == nil {
                state = LogEmulator(size: size, scrollbackBytes: Self.scrollbackBytes, keepsAnswers: true)
                state?.emulator.terminalColors = colors.withLock { $0 }
            }
            try state?.follow(log, to: end)
        }
    }

    /// Returns a terminal's replies to the queries in the output processed since the last call, in order and limited to
    /// a few KiB; each query is answered once.
    package func takeAnswers() -> [UInt8] {
        state.withLock { $0?.emulator.takeAnswers() ?? [] }
    }

    /// Uses these colors in replies to color queries from now on, unless the program has set its own.
    package func use(_ colors: TerminalColors) {
        self.colors.withLock { $0 = colors }
        state.withLock { $0?.emulator.terminalColors = colors }
    }

    /// Returns bytes that make a new terminal of this size show the screen after all output before `end`.
    ///
    /// They contain no queries that a terminal would answer.
    package func screen(of log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError) -> [UInt8] {
        try follow(log, end: end, size: size)
        guard var emulator = state.withLock({ $0?.emulator }) else { return [] }
        emulator.resize(to: size)
        return StateRenderer.render(emulator)
    }
}
