import Core
import Terminal

/// Which screen of a session is wanted.
package struct ScreenOrder: Hashable, Sendable {
    /// The screen after all output before this offset; nil: as it is now.
    package var offset: UInt64?
    /// As a terminal of this size shows it; nil: as the session's does.
    package var size: TerminalSize?
    /// How many rows that left the screen may be wanted.
    package var scrollback: Int

    package init(offset: UInt64? = nil, size: TerminalSize? = nil, scrollback: Int = 0) {
        self.offset = offset
        self.size = size
        self.scrollback = scrollback
    }

    /// More rows than anybody reads.
    package static let maximumScrollback = 1_000_000
}

/// What the terminal of a session shows.
package struct SessionScreen: Sendable {
    package var session: Session
    /// Up to where the output is shown.
    package var offset: UInt64
    /// A terminal that shows it.
    package var emulator: Emulator

    package init(session: Session, offset: UInt64, emulator: Emulator) {
        self.session = session
        self.offset = offset
        self.emulator = emulator
    }
}
