import CLibSSH2
import Core
import NIOCore

/// Forwards bytes between an SSH channel (direct-tcpip, RFC 4254 §7.2) and a NIO channel, on the connection's executor.
///
/// It is driven only by events on the two sides, without a task. Data that cannot be forwarded stays in libssh2's
/// window or in `pending`, and the side from which it came is not read meanwhile.
final class Tunnel {
    private unowned let connection: SSHConnection
    private let id: ChannelID
    private let handle: ChannelHandle
    private let local: any Channel
    private let handler = TunnelHandler()
    /// Data read from the local side and not yet sent.
    private var pending = ByteBuffer()
    private var hasSentEnd = false
    private var isClosed = false
    private var isPumping = false
    private var isAskedAgain = false

    init(connection: SSHConnection, id: ChannelID, handle: ChannelHandle, local: any Channel) {
        self.connection = connection
        self.id = id
        self.handle = handle
        self.local = local
    }

    /// Starts forwarding.
    func start() throws {
        let (connection, id) = (connection, id)
        handler.onEvent = { [weak connection] in
            connection?.assumeIsolated { $0.tunnels[id]?.pump(on: $0) }
        }
        try local.pipeline.syncOperations.addHandler(handler)
        handler.read()
    }

    /// Forwards all available data in both directions.
    ///
    /// Forwarding wakes all waiters, including this tunnel: a nested call only requests another round, because
    /// otherwise bytes could be sent twice or out of order.
    func pump(on connection: isolated SSHConnection) {
        isAskedAgain = true
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while isAskedAgain, !isClosed {
            isAskedAgain = false
            do throws(CallFailure) {
                try toServer(connection)
                try fromServer(connection)
            } catch {
                close(on: connection)
            }
        }
    }

    private func close(on connection: isolated SSHConnection) {
        isClosed = true
        // Pending writes must complete first.
        let local = local
        local.writeAndFlush(ByteBuffer()).whenComplete { _ in local.close(promise: nil) }
        connection.tunnels[id] = nil
        connection.forget(id)
    }

    private func toServer(_ connection: isolated SSHConnection) throws(CallFailure) {
        let handle = handle
        while connection.wire.isWritable {
            if pending.readableBytes == 0 {
                guard let next = handler.takeBytes() else { break }
                pending = next
            }
            let sent = try connection.attempt("channel_write") { _ in
                unsafe pending.withUnsafeReadableBytes { unsafe handle.write($0) }
            }
            guard let sent, sent > 0 else { return }
            pending.moveReaderIndex(forwardBy: sent)
        }
        guard pending.readableBytes == 0 else { return }
        if handler.isEnded, !hasSentEnd {
            hasSentEnd = try connection.attempt("channel_send_eof") { _ in handle.sendEnd() } != nil
        } else {
            handler.read()
        }
    }

    private func fromServer(_ connection: isolated SSHConnection) throws(CallFailure) {
        while local.isWritable {
            guard let bytes = try connection.read(handle, stream: 0) else {
                if handle.isAtEnd || connection.wire.isDrained { close(on: connection) }
                return
            }
            local.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
    }
}

/// The local side of a tunnel.
private final class TunnelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var onEvent: (() -> Void)?
    private(set) var isEnded = false
    private var buffers: [ByteBuffer] = []
    private var isReadPending = false
    private var context: ChannelHandlerContext?

    func takeBytes() -> ByteBuffer? {
        buffers.isEmpty ? nil : buffers.removeFirst()
    }

    func read() {
        guard !isReadPending, !isEnded else { return }
        isReadPending = true
        context?.read()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffers.append(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReadPending = false
        onEvent?()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        onEvent?()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { end() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
    }

    private func end() {
        isEnded = true
        onEvent?()
    }
}
