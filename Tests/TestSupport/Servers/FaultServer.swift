import Foundation
import Synchronization

/// A misbehaving server that performs the same steps on every connection.
package final class FaultServer: Sendable {
    package enum Step: Sendable {
        case send([UInt8])
        /// Sends the bytes repeatedly until the client disconnects.
        case sendForever([UInt8])
        /// Reads one chunk from the client.
        case receive
        /// Reads at least this many bytes from the client.
        case receiveAtLeast(Int)
        /// Reads without responding until the client disconnects.
        case hold

        package static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
        package static func sendForever(_ text: String) -> Step { .sendForever(Array(text.utf8)) }
    }

    package let port: UInt16

    private let listener: Listener

    /// Starts a server that performs the steps, then closes the connection.
    package init(_ steps: [Step]) throws {
        listener = try Listener { connection in
            for step in steps {
                switch step {
                case .send(let bytes):
                    guard connection.send(bytes) else { return }
                case .sendForever(let bytes):
                    while connection.send(bytes) {}
                case .receive:
                    guard connection.receive() != nil else { return }
                case .receiveAtLeast(let count):
                    var rest = count
                    while rest > 0 {
                        guard let bytes = connection.receive() else { return }
                        rest -= bytes.count
                    }
                case .hold:
                    while connection.receive() != nil {}
                }
            }
        }
        port = listener.port
    }

    /// The number of connections accepted so far.
    package var connectionCount: Int { listener.connectionCount }
}

/// Accepts loopback connections and serves each on its own thread, until the last reference is released.
final class Listener: Sendable {
    let port: UInt16
    private let socket: LoopbackSocket
    private let connections = Connections()

    final class Connections: Sendable {
        let all = Mutex<[LoopbackSocket]>([])
    }

    init(_ serve: @escaping @Sendable (LoopbackSocket) -> Void) throws {
        let socket = try LoopbackSocket()
        try socket.bind(port: 0)
        listen(socket.descriptor, 64)
        self.socket = socket
        port = try socket.port()
        let connections = self.connections
        Thread {
            while true {
                let accepted = accept(socket.descriptor, nil, nil)
                guard accepted >= 0 else { return }
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                let connection = LoopbackSocket(owning: accepted)
                connections.all.withLock { $0.append(connection) }
                Thread {
                    serve(connection)
                    connection.shutdown()
                }.start()
            }
        }.start()
    }

    deinit {
        socket.shutdown()
        closeConnections()
    }

    var connectionCount: Int {
        connections.all.withLock { $0.count }
    }

    /// Shuts down one or both directions of all connections accepted so far.
    func closeConnections(_ directions: Int = SHUT_RDWR) {
        for connection in connections.all.withLock({ $0 }) { connection.shutdown(directions) }
    }
}
