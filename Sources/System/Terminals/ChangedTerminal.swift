import CLinux
import Core
import Glibc

/// A terminal with changed modes, and the modes to restore.
///
/// The corresponding C functions are `tcgetattr`, `cfmakeraw` and `tcsetattr`.
package struct ChangedTerminal: Sendable {
    package let descriptor: CInt
    /// The modes to restore.
    let former: termios
    private let changed: termios

    /// Switches the terminal to raw mode; nil if the descriptor is not a terminal.
    package init?(raw descriptor: CInt) {
        self.init(descriptor, TCSADRAIN) { attributes in unsafe cfmakeraw(&attributes) }
    }

    /// Switches the terminal to a mode in which a line can be typed, and discards what has been typed before; nil if the
    /// descriptor is not a terminal.
    package init?(question descriptor: CInt, echoes: Bool) {
        self.init(descriptor, TCSAFLUSH) { attributes in
            attributes.c_iflag |= tcflag_t(ICRNL)
            attributes.c_oflag |= tcflag_t(OPOST | ONLCR)
            attributes.c_lflag |= tcflag_t(ICANON | ISIG)
            attributes.c_lflag &= ~tcflag_t(ECHO | ECHONL)
            if echoes { attributes.c_lflag |= tcflag_t(ECHO | ECHOE) }
        }
    }

    private init?(_ descriptor: CInt, _ action: CInt, _ change: (inout termios) -> Void) {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return nil }
        self.descriptor = descriptor
        former = attributes
        change(&attributes)
        changed = attributes
        unsafe tcsetattr(descriptor, action, &attributes)
    }

    /// Changes the modes again, after `restore`.
    package func resume() {
        var attributes = changed
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }

    /// Restores the terminal's former modes.
    package func restore() {
        var attributes = former
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }
}
