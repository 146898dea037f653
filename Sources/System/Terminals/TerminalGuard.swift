import CLinux
import Core

/// Restores this process's terminal when the process crashes or is terminated by a signal.
///
/// There is one guard per process. KILL cannot be handled.
package enum TerminalGuard {
    /// Starts guarding the terminal `output`; `raw` is the terminal used for input.
    package static func begin(raw: ChangedTerminal?, output: CInt) {
        guard let raw else { return cguard_begin(-1, nil, output) }
        var settings = raw.former
        unsafe cguard_begin(raw.descriptor, &settings, output)
    }

    /// Sets the bytes to write on restore, replacing earlier ones.
    package static func prepare(_ reset: [UInt8]) {
        unsafe reset.withUnsafeBytes { unsafe cguard_prepare($0.baseAddress, $0.count) }
    }

    /// Restores the terminal now, unless it has already been restored.
    package static func restore() {
        cguard_restore()
    }

    /// Stops guarding, after the caller has restored the terminal.
    package static func end() {
        cguard_end()
    }
}
