import Foundation
import Synchronization

/// A TCP relay that connects clients to a loopback server, counts bytes, and can stall and close connections.
package final class Relay: Sendable {
    package let port: UInt16

    private let listener: Listener
    private let flow = Flow()

    /// Starts a relay to the server's port.
    package init(to serverPort: UInt16) throws {
        let flow = self.flow
        flow.serverPort.withLock { $0 = serverPort }
        listener = try Listener { client in
            guard let port = flow.nextServerPort(), let server = try? LoopbackSocket(),
                (try? server.connect(port: port)) != nil
            else { return }
            let hasEnded = DispatchSemaphore(value: 0)
            Thread {
                var count = 0
                while var bytes = server.receive(), flow.isTemporary() {
                    if flow.flip(in: &bytes, after: count) { server.limitWait() }
                    count += bytes.count
                    let isLast = flow.isLastChunk()
                    let kept = isLast ? Array(bytes.prefix(bytes.count / 2)) : flow.flippedNext(bytes)
                    guard client.send(kept), !isLast else { break }
                    flow.toClient.withLock { $0 += bytes.count }
                }
                client.shutdown()
                server.shutdown()
                hasEnded.signal()
            }.start()
            while let bytes = client.receive(), flow.isTemporary(), server.send(bytes) {
                flow.toServer.withLock { $0 += bytes.count }
            }
            guard flow.isHalfClosing.withLock({ $0 }) else { return server.shutdown() }
            server.endOutput()
            hasEnded.wait()
        }
        port = listener.port
    }

    deinit {
        flow.resume()
    }

    /// The number of bytes sent from clients to the server.
    package var bytesToServer: Int { flow.toServer.withLock { $0 } }

    /// The number of bytes sent from the server to clients.
    package var bytesToClient: Int { flow.toClient.withLock { $0 } }

    package var connectionCount: Int { listener.connectionCount }

    /// Stops forwarding but leaves the connections open, as if the network had failed silently.
    package func stall() { flow.stall() }

    package func resume() { flow.resume() }

    /// Closes all connections.
    package func cut() {
        flow.isHalfClosing.withLock { $0 = false }
        listener.closeConnections()
    }

    /// Closes the direction from clients to the server, while the other direction stays open.
    package func halfClose() {
        flow.isHalfClosing.withLock { $0 = true }
        listener.closeConnections(SHUT_RD)
    }

    /// Closes a connection in the middle of the chunk that the server sends after `count` others.
    package func cut(afterChunks count: Int) { flow.chunksLeft.withLock { $0 = count } }

    /// Flips a bit in the next chunk that the server sends.
    package func flip(bit: Int, ofByte index: Int) { flow.nextFlip.withLock { $0 = (index, 1 << bit) } }

    package func cancelCut() { flow.chunksLeft.withLock { $0 = nil } }

    /// Flips a bit of the byte at this offset of what the server sends in each new connection, which is closed once the
    /// server has then been silent for some time, because a client could wait for the rest of a packet for ever.
    package func flip(bit: Int, at offset: Int) {
        flow.flipped.withLock { $0 = (offset, UInt8(1) << UInt8(bit)) }
    }

    /// The offsets at which the server's chunks began in all connections so far; a chunk often begins with a packet.
    package var chunkStarts: [Int] { flow.chunkStarts.withLock { $0 }.sorted() }

    /// Whether ``cut(afterChunks:)`` was called, and its chunk has not been sent yet.
    package var willCut: Bool { flow.chunksLeft.withLock { $0 != nil } }

    /// Directs new connections to another server.
    package func redirect(to serverPort: UInt16) { flow.serverPort.withLock { $0 = serverPort } }

    /// Closes the next `count` connections immediately.
    package func refuse(_ count: Int) { flow.refusals.withLock { $0 = count } }

    /// Delays each forwarded chunk by this duration.
    package func delay(by delay: Duration) { flow.setDelay(delay) }

    private final class Flow: Sendable {
        let toServer = Mutex(0)
        let toClient = Mutex(0)
        let isHalfClosing = Mutex(false)
        let serverPort = Mutex<UInt16>(0)
        let refusals = Mutex(0)
        let chunksLeft = Mutex<Int?>(nil)
        let flipped = Mutex<(offset: Int, mask: UInt8)?>(nil)
        let chunkStarts = Mutex<Set<Int>>([])
        /// The byte of the next chunk from the server to change, and how.
        let nextFlip = Mutex<(index: Int, mask: UInt8)?>(nil)
        private let condition = NSCondition()
        private let isStalled = Mutex(false)
        private let delayMicroseconds = Mutex<UInt32>(0)

        /// Returns nil if this connection must be refused.
        func nextServerPort() -> UInt16? {
            let isRefused = refusals.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
            return isRefused ? nil : serverPort.withLock { $0 }
        }

        /// Flips the bit if its byte is in the chunk, which `count` bytes precede; returns whether it is.
        func flip(in chunk: inout [UInt8], after count: Int) -> Bool {
            _ = chunkStarts.withLock { $0.insert(count) }
            guard let (offset, mask) = flipped.withLock({ $0 }), chunk.indices.contains(offset - count) else {
                return false
            }
            chunk[offset - count] ^= mask
            return true
        }

        /// The chunk with the change that was requested, if it is long enough.
        func flippedNext(_ chunk: [UInt8]) -> [UInt8] {
            nextFlip.withLock { flip in
                guard let (index, mask) = flip, index < chunk.count else { return chunk }
                flip = nil
                var chunk = chunk
                chunk[index] ^= mask
                return chunk
            }
        }

        /// Counts a chunk from the server; returns whether the connection must be closed in the middle of it.
        func isLastChunk() -> Bool {
            chunksLeft.withLock { left in
                guard let count = left else { return false }
                left = count > 0 ? count - 1 : nil
                return count == 0
            }
        }

        func setDelay(_ delay: Duration) {
            delayMicroseconds.withLock { $0 = UInt32(delay / .microseconds(1)) }
        }

        /// Waits for the delay and until the relay is not stalled; always returns true.
        func isTemporary() -> Bool {
            usleep(delayMicroseconds.withLock { $0 })
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
