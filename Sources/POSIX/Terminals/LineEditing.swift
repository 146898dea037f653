import Core
import Glibc

/// The keys that a terminal acts on while it collects lines, as termios(3) describes them.
package struct LineEditing: Hashable, Sendable {
    /// What a key does to the line; others become a part of it.
    package enum Action: Sendable {
        /// The line is complete.
        case end
        /// The line is thrown away: it is erased, or the terminal drops its input for a signal.
        case drop
        case eraseCharacter
        case eraseWord
        /// The next byte becomes a part of the line, whatever it is.
        case takeNext
        /// Nothing.
        case ignore
    }

    /// By byte.
    private let actions: [UInt8: Action]
    /// Whether a character may have several bytes, as in UTF-8.
    package let hasWideCharacters: Bool

    init(_ attributes: termios) {
        var attributes = attributes
        hasWideCharacters = attributes.c_iflag & tcflag_t(IUTF8) != 0
        let keys = unsafe withUnsafeBytes(of: &attributes.c_cc) { unsafe Array($0) }
        var actions: [UInt8: Action] = [UInt8(ascii: "\n"): .end]
        func set(_ key: CInt, _ action: Action) {
            // Such a key is switched off: _POSIX_VDISABLE.
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

    /// What a byte does; nil: it becomes a part of the line.
    package func action(of byte: UInt8) -> Action? { actions[byte] }
}
