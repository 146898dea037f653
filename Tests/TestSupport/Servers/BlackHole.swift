import Foundation

/// A loopback port that never answers connection attempts, because its queue is full.
package final class BlackHole: Sendable {
    package let port: UInt16

    private let listener: LoopbackSocket
    private let queued: [LoopbackSocket]

    package init() throws {
        listener = try LoopbackSocket()
        try listener.bind(port: 0)
        listen(listener.descriptor, 0)
        let port = try listener.port()
        self.port = port
        // A queue of length 0 has room for one connection; further attempts are dropped silently (listen(2)).
        queued = try (0..<4).map { _ in
            let socket = try LoopbackSocket()
            _ = fcntl(socket.descriptor, F_SETFL, O_NONBLOCK)
            try? socket.connect(port: port)
            return socket
        }
    }
}
