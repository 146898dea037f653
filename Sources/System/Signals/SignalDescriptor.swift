import CLinux
import Core
import Glibc

/// A pollable descriptor for signals, in a single-threaded process.
package struct SignalDescriptor: ~Copyable {
    private let descriptor: FileDescriptor

    /// Blocks the signals; programs started later do not inherit the mask.
    ///
    /// The corresponding C function is `signalfd`.
    package init(_ signals: [CInt]) throws(VTError) {
        var number: CInt = -1
        let failure = unsafe clinux_open_signals(signals, CInt(signals.count), &number)
        guard failure == 0 else { throw .system(failure, "cannot receive signals", fallback: .system) }
        descriptor = FileDescriptor(owning: number)
    }

    package var number: CInt { descriptor.number }

    /// Returns the next pending signal, or nil.
    package func next() -> CInt? {
        let signal = clinux_next_signal(descriptor.number)
        return signal == 0 ? nil : signal
    }
}
