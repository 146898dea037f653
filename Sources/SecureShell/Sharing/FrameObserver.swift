import Core
import Synchronization

/// Forwards the steps of a connection to a command, and remembers the host keys.
final class FrameObserver: ConnectionObserver {
    private let channel: FrameChannel
    private let hostKeys = Mutex<[String: HostKey]>([:])

    init(channel: FrameChannel) {
        self.channel = channel
    }

    /// The key of the server with this name in messages.
    func hostKey(of name: String) -> HostKey? {
        hostKeys.withLock { $0[name] }
    }

    /// Steps are reported on the event loop.
    func connection(_ name: String, reached step: ConnectionStep) {
        if case .trusted(let key, _) = step { hostKeys.withLock { $0[name] = key } }
        channel.assumeIsolated { $0.post(.step(name: name, step)) }
    }
}
