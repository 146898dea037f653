import CLinux
import Core
import Glibc

/// Terminal sizes and modes.
package enum TerminalControl {
    /// Sets the terminal's size; if it changes, Linux sends WINCH to the terminal's foreground process group.
    ///
    /// The corresponding C function is `ioctl` with TIOCSWINSZ.
    package static func resize(_ descriptor: CInt, to size: TerminalSize) {
        var window = winsize()
        window.ws_col = UInt16(size.columns)
        window.ws_row = UInt16(size.rows)
        _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &window)
    }

    /// Opens the slave side of the pseudo-terminal with this master.
    ///
    /// The corresponding C function is `ioctl` with TIOCGPTPEER.
    package static func openSlave(of master: CInt) throws(VTError) -> FileDescriptor {
        var number: CInt = -1
        let failure = unsafe clinux_open_slave(master, &number)
        guard failure == 0 else { throw .system(failure, "cannot open a terminal", fallback: .system) }
        return FileDescriptor(owning: number)
    }

    /// The terminal's special characters; nil if it is not in canonical mode.
    package static func lineEditing(_ descriptor: CInt) -> LineEditing? {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0, attributes.c_lflag & tcflag_t(ICANON) != 0 else {
            return nil
        }
        return LineEditing(attributes)
    }

    /// Whether the terminal echoes input; echo is usually off during a password prompt.
    package static func echoes(_ descriptor: CInt) -> Bool {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return false }
        return attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Whether input is not shown: the terminal does not echo it, and edits lines itself, so that no program does either.
    ///
    /// The corresponding C function is `tcgetattr`.
    package static func hidesInput(_ descriptor: CInt) -> Bool {
        lineEditing(descriptor) != nil && !echoes(descriptor)
    }

    /// The bytes for which the terminal sends a signal to the program: usually ^C, ^\ and ^Z; empty if it does not.
    ///
    /// The corresponding C function is `tcgetattr`, with ISIG.
    package static func signalBytes(_ descriptor: CInt) -> [UInt8] {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0, attributes.c_lflag & tcflag_t(ISIG) != 0 else {
            return []
        }
        let keys = unsafe withUnsafeBytes(of: &attributes.c_cc) { unsafe Array($0) }
        // A disabled byte has the value _POSIX_VDISABLE.
        return [VINTR, VQUIT, VSUSP].map { keys[Int($0)] }.filter { $0 != 0 }
    }

    /// The maximum length of a line in canonical mode, without its end: N_TTY_BUF_SIZE - 1, termios(3).
    package static let canonicalLineLimitBytes = 4095
}
