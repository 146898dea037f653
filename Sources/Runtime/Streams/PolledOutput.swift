import CLinux
import Core
import Glibc
import Synchronization

/// Writes to a pipe or the master side of a terminal that no other process shares, without a thread.
package final class PolledOutput: ByteSink {
    private struct State {
        /// -1 after the end.
        var descriptor: CInt
        var hasLostReader = false
    }

    private let state: Mutex<State>
    private let poller: DescriptorPoller
    private let name: String

    /// Owns `descriptor`, which becomes non-blocking; `name` is the destination in the message `cannot write NAME`.
    package init(owning descriptor: CInt, name: String, poller: DescriptorPoller) {
        state = Mutex(State(descriptor: descriptor))
        self.poller = poller
        self.name = name
        PolledInput.unblock(descriptor)
    }

    deinit {
        end()
    }

    /// Whether a write failed because the pipe no longer has a reader (EPIPE).
    package var hasLostReader: Bool {
        state.withLock(\.hasLostReader)
    }

    /// Writes all bytes; there must be no concurrent calls to `write` and `end`.
    package func write(_ bytes: [UInt8]) async throws(VTError) {
        let descriptor = state.withLock(\.descriptor)
        var rest = bytes[...]
        while !rest.isEmpty {
            let (count, failure) = Self.write(descriptor, rest)
            rest = rest.dropFirst(count)
            switch failure {
            case 0, EINTR: continue
            case EAGAIN: try await poller.wait(for: .writable, on: descriptor)
            default:
                state.withLock { $0.hasLostReader = failure == EPIPE }
                throw .system(failure, "cannot write \(name)")
            }
        }
    }

    /// Closes the descriptor.
    package func end() {
        state.withLock { state in
            if state.descriptor >= 0 { close(state.descriptor) }
            state.descriptor = -1
        }
    }

    /// Writes once, without raising SIGPIPE if there is no reader: only standard output may end the process with it.
    ///
    /// Returns the number of bytes written and the errno.
    private static func write(_ descriptor: CInt, _ bytes: ArraySlice<UInt8>) -> (Int, CInt) {
        var (pipe, former) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&pipe)
        unsafe sigaddset(&pipe, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &pipe, &former)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let failure = count < 0 ? errno : 0
        if failure == EPIPE {
            // Consume the signal, which is pending for this thread.
            var now = timespec()
            unsafe sigtimedwait(&pipe, nil, &now)
        }
        return (max(0, count), failure)
    }
}
