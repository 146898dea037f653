import CPTY
import Core

/// Gives the terminal of this process back as it was when the process ends by a fault, or is ended at once.
///
/// There is one for the process; nothing helps against KILL.
package enum TerminalGuard {
    /// Begins to guard a terminal that is written to; `raw` is the one that is typed at.
    package static func begin(raw: RawTerminal?, output: CInt) {
        guard let raw else { return cguard_begin(-1, nil, output) }
        var settings = raw.former
        unsafe cguard_begin(raw.descriptor, &settings, output)
    }

    /// Keeps what is to be written then, in the place of what was kept before.
    package static func prepare(_ reset: [UInt8]) {
        unsafe reset.withUnsafeBytes { unsafe cguard_prepare($0.baseAddress, $0.count) }
    }

    /// Gives it back now, unless that was done.
    package static func restore() {
        cguard_restore()
    }

    /// Ends: whoever calls this has given the terminal back.
    package static func end() {
        cguard_end()
    }
}
