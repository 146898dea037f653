import Foundation
import Synchronization

/// A TCP relay between a client and a server on loopback that can be stalled and cut, and counts bytes.
package final class Relay: Sendable {
    package let port: UInt16

    private let listener: Listener
    private let flow = Flow()

    /// Starts a relay to the port of the server.
    package init(to serverPort: UInt16) throws {
        let flow = self.flow
        listener = try Listener { client in
            guard let server = try? LoopbackSocket(), (try? server.connect(port: serverPort)) != nil else { return }
            Thread {
                while let bytes = server.receive(), flow.mayPass(), client.send(bytes) {
                    flow.toClient.withLock { $0 += bytes.count }
                }
                client.shutdown()
                server.shutdown()
            }.start()
            while let bytes = client.receive(), flow.mayPass(), server.send(bytes) {
                flow.toServer.withLock { $0 += bytes.count }
            }
            server.shutdown()
        }
        port = listener.port
    }

    deinit {
        flow.resume()
    }

    /// Bytes that went from the clients to the server.
    package var bytesToServer: Int { flow.toServer.withLock { $0 } }

    /// Bytes that went from the server to the clients.
    package var bytesToClient: Int { flow.toClient.withLock { $0 } }

    package var connectionCount: Int { listener.connectionCount }

    /// Lets no further byte pass, with the connections left open: a link that died silently.
    package func stall() { flow.stall() }

    package func resume() { flow.resume() }

    /// Closes all connections.
    package func cut() { listener.closeConnections() }

    private final class Flow: Sendable {
        let toServer = Mutex(0)
        let toClient = Mutex(0)
        private let condition = NSCondition()
        private let isStalled = Mutex(false)

        /// Waits while the relay is stalled.
        func mayPass() -> Bool {
            condition.lock()
            while isStalled.withLock({ $0 }) { condition.wait() }
            condition.unlock()
            return true
        }

        func stall() { isStalled.withLock { $0 = true } }

        func resume() {
            condition.lock()
            isStalled.withLock { $0 = false }
            condition.broadcast()
            condition.unlock()
        }
    }
}
