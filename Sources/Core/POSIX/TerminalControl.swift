import Glibc

/// What is done to terminals: their size and their modes.
package enum TerminalControl {
    /// Tells a terminal its size, which signals WINCH to the programs on it.
    ///
    /// The corresponding C function is `ioctl` with TIOCSWINSZ.
    package static func resize(_ descriptor: CInt, to size: TerminalSize) {
        var window = winsize()
        window.ws_col = UInt16(size.columns)
        window.ws_row = UInt16(size.rows)
        _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &window)
    }
}

/// A terminal in raw mode, until it is restored.
///
/// The corresponding C functions are `tcgetattr`, `cfmakeraw` and `tcsetattr`.
package struct RawTerminal: Sendable {
    private let descriptor: CInt
    private let former: termios

    /// Sets the terminal raw; nil where the descriptor is none.
    package init?(_ descriptor: CInt) {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return nil }
        self.descriptor = descriptor
        former = attributes
        unsafe cfmakeraw(&attributes)
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }

    /// Gives the terminal the modes back that it had.
    package func restore() {
        var attributes = former
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }
}
