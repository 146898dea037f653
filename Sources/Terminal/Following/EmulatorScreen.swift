import Core
import Synchronization

/// Shows a session's screen as an emulator has it that follows the output.
///
/// Each call goes on where the last one ended. All calls are about the same session.
package final class EmulatorScreen: ScreenSource {
    private let state = Mutex<LogEmulator?>(nil)
    private let scrollbackBytes: Int
    /// Those of the terminal that shows the session.
    private let colors = Mutex(TerminalColors())

    /// Lines that left the screen come back when it grows; they may take so much memory.
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
