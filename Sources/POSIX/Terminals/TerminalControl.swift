import CPTY
import Core
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

    /// Opens the slave side of the terminal pair that this is the master of.
    ///
    /// The corresponding C function is `ioctl` with TIOCGPTPEER.
    package static func openSlave(of master: CInt) throws(VTError) -> FileDescriptor {
        var number: CInt = -1
        let failure = unsafe clinux_open_slave(master, &number)
        guard failure == 0 else { throw .system(failure, "cannot open a terminal", fallback: .system) }
        return FileDescriptor(owning: number)
    }

    /// How the terminal collects lines; nil while it does not, and passes on each byte.
    ///
    /// The corresponding C function is `tcgetattr`.
    package static func lineEditing(_ descriptor: CInt) -> LineEditing? {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0, attributes.c_lflag & tcflag_t(ICANON) != 0 else {
            return nil
        }
        return LineEditing(attributes)
    }

    /// Whether the terminal shows what is typed, which it does not while a password is asked for.
    ///
    /// The corresponding C function is `tcgetattr`.
    package static func echoes(_ descriptor: CInt) -> Bool {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return false }
        return attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// The longest line that a terminal takes while it collects lines, without its end: N_TTY_BUF_SIZE - 1, termios(3).
    package static let canonicalLineLimitBytes = 4095
}

/// A terminal in raw mode, until it is restored.
///
/// The corresponding C functions are `tcgetattr`, `cfmakeraw` and `tcsetattr`.
package struct RawTerminal: Sendable {
    let descriptor: CInt
    /// The modes that it had.
    let former: termios

    /// Sets the terminal raw; nil where the descriptor is none.
    package init?(_ descriptor: CInt) {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return nil }
        self.descriptor = descriptor
        former = attributes
        unsafe cfmakeraw(&attributes)
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }

    /// Sets the terminal raw once more, after `restore`.
    package func resume() {
        var attributes = former
        unsafe cfmakeraw(&attributes)
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }

    /// Gives the terminal the modes back that it had.
    package func restore() {
        var attributes = former
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }
}
