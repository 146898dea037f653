import CLinux
import Core
import Glibc

/// The special characters of a terminal in canonical mode (termios(3)).
package struct LineEditing: Hashable, Sendable {
    /// The effect of a special character on the line; other characters are added to the line.
    package enum Action: Sendable {
        /// Completes the line.
        case end
        /// Discards the line: erases it, or sends a signal that flushes the input.
        case drop
        case eraseCharacter
        case eraseWord
        /// Adds the next byte to the line literally.
        case takeNext
        /// Has no effect.
        case ignore
    }

    /// The actions, by byte.
    private let actions: [UInt8: Action]
    /// Whether characters can be multibyte (UTF-8).
    package let hasWideCharacters: Bool

    init(_ attributes: termios) {
        var attributes = attributes
        hasWideCharacters = attributes.c_iflag & tcflag_t(IUTF8) != 0
        let keys = unsafe withUnsafeBytes(of: &attributes.c_cc) { unsafe Array($0) }
        var actions: [UInt8: Action] = [UInt8(ascii: "\n"): .end]
        func set(_ key: CInt, _ action: Action) {
            // A disabled character has the value _POSIX_VDISABLE.
            if keys[Int(key)] != 0 { actions[keys[Int(key)]] = action }
        }
        for key in [VEOF, VEOL, VEOL2] { set(key, .end) }
        set(VERASE, .eraseCharacter)
        set(VKILL, .drop)
        if attributes.c_lflag & tcflag_t(IEXTEN) != 0 {
            set(VWERASE, .eraseWord)
            set(VREPRINT, .ignore)
            set(VLNEXT, .takeNext)
        }
        if attributes.c_iflag & tcflag_t(IXON) != 0 {
            for key in [VSTART, VSTOP] { set(key, .ignore) }
        }
        if attributes.c_lflag & tcflag_t(ISIG) != 0 {
            let action: Action = attributes.c_lflag & tcflag_t(NOFLSH) == 0 ? .drop : .ignore
            for key in [VINTR, VQUIT, VSUSP] { set(key, action) }
        }
        if attributes.c_iflag & tcflag_t(IGNCR) != 0 {
            actions[UInt8(ascii: "\r")] = .ignore
        } else if attributes.c_iflag & tcflag_t(ICRNL) != 0 {
            actions[UInt8(ascii: "\r")] = .end
        }
        self.actions = actions
    }

    /// The action of a byte; nil if it is added to the line.
    package func action(of byte: UInt8) -> Action? { actions[byte] }
}
