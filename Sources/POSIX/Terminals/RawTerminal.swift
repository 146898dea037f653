import CPTY
import Core
import Glibc

/// A terminal in raw mode, with the modes to restore.
///
/// The corresponding C functions are `tcgetattr`, `cfmakeraw` and `tcsetattr`.
package struct RawTerminal: Sendable {
    let descriptor: CInt
    /// The modes to restore.
    let former: termios

    /// Switches the terminal to raw mode; nil if the descriptor is not a terminal.
    package init?(_ descriptor: CInt) {
        var attributes = termios()
        guard unsafe tcgetattr(descriptor, &attributes) == 0 else { return nil }
        self.descriptor = descriptor
        former = attributes
        unsafe cfmakeraw(&attributes)
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }

    /// Switches the terminal to raw mode again, after `restore`.
    package func resume() {
        var attributes = former
        unsafe cfmakeraw(&attributes)
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }

    /// Restores the terminal's former modes.
    package func restore() {
        var attributes = former
        unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
    }
}
