import Core
import Synchronization

/// Forwards a mux server's notes to the command that is waiting for the connection, if there is one.
package final class MuxDiagnostics: Diagnostics {
    private let receiver = Mutex<(@Sendable (String) -> Void)?>(nil)

    package init() {}

    func forward(to receiver: (@Sendable (String) -> Void)?) {
        self.receiver.withLock { $0 = receiver }
    }

    package func note(_ message: String) {
        receiver.withLock { $0 }?(message)
    }

    /// Details of the connection are reported as steps instead.
    package func detail(_ message: @autoclosure () -> String) {}
}
