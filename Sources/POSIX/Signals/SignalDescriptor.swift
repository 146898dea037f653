import CPTY
import Core
import Glibc

/// Signals as something to poll for, in a process of one thread.
package struct SignalDescriptor: ~Copyable {
    private let descriptor: FileDescriptor

    /// Blocks the signals; programs that are started later do not inherit that.
    ///
    /// The corresponding C function is `signalfd`.
    package init(_ signals: [CInt]) throws(VTError) {
        var number: CInt = -1
        let failure = unsafe clinux_open_signals(signals, CInt(signals.count), &number)
        guard failure == 0 else { throw .system(failure, "cannot receive signals", fallback: .system) }
        descriptor = FileDescriptor(owning: number)
    }

    package var number: CInt { descriptor.number }

    /// Returns the next signal that has come, or nil.
    package func next() -> CInt? {
        let signal = clinux_next_signal(descriptor.number)
        return signal == 0 ? nil : signal
    }
}
