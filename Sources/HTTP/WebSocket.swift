import Core
import NIOCore
import NIOWebSocket
import Runtime

/// A message of a WebSocket.
package enum WebSocketMessage: Hashable, Sendable {
    case binary([UInt8])
    case text(String)
}

/// A connection that carries messages both ways (RFC 6455).
package struct WebSocket: Sendable {
    /// Which end of the connection this is; a client masks its frames.
    package enum Side: Sendable {
        case client, server
    }

    /// How long the last message may take after cancellation.
    private static let lastWriteTimeout = TimeAmount.seconds(1)
    /// How long a peer may take to read what was written before the connection is closed.
    private static let closeTimeout = TimeAmount.seconds(10)
    /// The code for a connection that has served its purpose (RFC 6455 §7.4.1).
    private static let normalClosure: UInt16 = 1000

    private let channel: any Channel
    private let side: Side
    private let inbox: Monitor<WebSocketInbox>

    /// Adds its handler to a channel whose frames are decoded, on the event loop of the channel.
    ///
    /// The connection is closed for a message of more than `limitBytes` and, unless `acceptsText`, for text.
    package init(_ side: Side, over channel: any Channel, limitBytes: Int, acceptsText: Bool) throws {
        let handler = WebSocketHandler(side, limitBytes: limitBytes, acceptsText: acceptsText)
        try channel.pipeline.syncOperations.addHandler(handler)
        (self.channel, self.side, inbox) = (channel, side, handler.inbox)
    }

    /// Returns the next message, or nil when the connection has been closed or lost.
    ///
    /// Bytes are read only when they are needed, so a peer that sends faster must wait.
    ///
    /// - Throws: `VTError.cancelled`.
    package func read() async throws(VTError) -> WebSocketMessage? {
        if inbox.withLock({ $0.messages.isEmpty && !$0.isEnded }) { channel.read() }
        return try await inbox.wait { inbox -> Result<WebSocketMessage?, VTError>? in
            if let message = inbox.messages.popFirst() { return .success(message) }
            return inbox.isEnded ? .success(nil) : nil
        }.get()
    }

    /// The code with which either end has closed the connection (RFC 6455 §7.4); nil while it is open, and if it was
    /// lost.
    package var closeCode: UInt16? { inbox.withLock(\.closeCode) }

    /// Returns once the message has been passed to the system, so that at most one message of each writer is in memory.
    ///
    /// After cancellation, a peer that does not read is disconnected.
    ///
    /// - Throws: `host.unreachable`.
    package func write(_ message: WebSocketMessage) async throws(VTError) {
        let channel = channel
        let frame =
            switch message {
            case .binary(let bytes): side.frame(.binary, ByteBuffer(bytes: bytes))
            case .text(let text): side.frame(.text, ByteBuffer(string: text))
            }
        do {
            try await withTaskCancellationHandler {
                try await channel.writeAndFlush(frame).get()
            } onCancel: {
                close(within: Self.lastWriteTimeout)
            }
        } catch {
            throw VTError(.hostUnreachable, "the connection was lost")
        }
    }

    /// Runs `body`, and then closes the connection.
    ///
    /// - Throws: Errors from `body`.
    package func whileOpen<Result: Sendable>(
        _ body: (WebSocket) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        try await withCleanup {
            await close()
        } _: { () async throws(VTError) in
            try await body(self)
        }
    }

    /// Closes the connection, after what was written; several tasks may call it.
    package func close(_ code: UInt16? = nil) async {
        var data = ByteBuffer()
        data.writeInteger(code ?? Self.normalClosure)
        let channel = channel
        channel.writeAndFlush(side.frame(.connectionClose, data)).whenComplete { _ in channel.close(promise: nil) }
        close(within: Self.closeTimeout)
    }

    /// Closes the connection after a while, unless it is closed before; a timer would keep it in memory.
    private func close(within time: TimeAmount) {
        let channel = channel
        let timer = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
    }
}

extension WebSocket.Side {
    func frame(_ opcode: WebSocketOpcode, _ data: ByteBuffer = ByteBuffer()) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: opcode, maskKey: self == .client ? .random() : nil, data: data)
    }
}
