import Core
import Synchronization

/// Renders a session's screen with an emulator that follows the output.
///
/// Each call continues where the previous one ended. All calls must pass the log of the same session.
package final class EmulatorScreen: ScreenSource {
    private let state = Mutex<LogEmulator?>(nil)
    private let scrollbackBytes: Int
    /// The colors of the attached terminal.
    private let colors = Mutex(TerminalColors())

    /// `scrollbackBytes` limits the memory for lines that have left the screen, which return when the screen grows.
    package init(scrollbackBytes: Int = 64 << 10) {
        self.scrollbackBytes = scrollbackBytes
    }

    package func follow(_ log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError) {
        try state.withLock { state throws(VTError) in
            if state == nil {
                state = LogEmulator(size: size, scrollbackBytes: scrollbackBytes, keepsAnswers: true)
                state?.emulator.terminalColors = colors.withLock { $0 }
            }
            try state?.follow(log, to: end)
        }
    }

    package func takeAnswers() -> [UInt8] {
        state.withLock { $0?.emulator.takeAnswers() ?? [] }
    }

    package func use(_ colors: TerminalColors) {
        self.colors.withLock { $0 = colors }
        state.withLock { $0?.emulator.terminalColors = colors }
    }

    package func screen(of log: any SessionLog, end: UInt64, size: TerminalSize) throws(VTError) -> [UInt8] {
        try follow(log, end: end, size: size)
        guard var emulator = state.withLock({ $0?.emulator }) else { return [] }
        emulator.resize(to: size)
        return StateRenderer.render(emulator)
    }
}
