import Core
import Terminal

/// A request for a screen of a session.
package struct ScreenRequest: Hashable, Sendable {
    /// The screen after all output before this offset; nil means the current screen.
    package var offset: UInt64?
    /// The size of the terminal; nil means the session's.
    package var size: TerminalSize?
    /// The maximum number of scrollback rows to include.
    package var scrollback: Int

    package init(offset: UInt64? = nil, size: TerminalSize? = nil, scrollback: Int = 0) {
        self.offset = offset
        self.size = size
        self.scrollback = scrollback
    }

    /// The maximum of `scrollback`; far more rows than are useful in practice.
    package static let maximumScrollback = 1_000_000
}
