import Core
import NIOCore
import NIOPosix
import Runtime
import System

/// A connection between a server and a command on the same machine.
struct ControlConnection: SessionChannel {
    private let channel: any Channel
    private let inbox: Monitor<Inbox>

    /// The bytes that have arrived.
    fileprivate struct Inbox: Sendable {
        var messages: [[UInt8]] = []
        /// Whether no more bytes will arrive.
        var isEnded = false
    }

    /// Takes over a channel that has not been read; must be called on its event loop.
    init(_ channel: any Channel) throws {
        let handler = StreamHandler()
        try channel.pipeline.syncOperations.addHandler(handler)
        self.channel = channel
        inbox = handler.inbox
    }

    static func open(to path: String, on eventLoop: any EventLoop) async throws(VTError) -> ControlConnection {
        let socket = try UnixSocket.connect(to: path).release()
        do {
            return try await ClientBootstrap(group: eventLoop)
                .channelOption(.autoRead, value: false)
                .withConnectedSocket(socket)
                .flatMapThrowing { channel in try ControlConnection(channel) }
                .get()
        } catch {
            throw VTError(.system, "cannot connect to '\(path)'", causes: [error.causeText])
        }
    }

    func read() async throws(VTError) -> [UInt8]? {
        if inbox.withLock({ $0.messages.isEmpty && !$0.isEnded }) { channel.read() }
        return try await inbox.wait { inbox -> Result<[UInt8]?, VTError>? in
            if !inbox.messages.isEmpty { return .success(inbox.messages.removeFirst()) }
            return inbox.isEnded ? .success(nil) : nil
        }.get()
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        } catch {
            throw VTError(.hostUnreachable, "lost the connection to 'vt serve'")
        }
    }

    func close() async {
        channel.close(promise: nil)
    }
}

/// Collects the bytes that arrive on a channel.
private final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let inbox = Monitor(ControlConnection.Inbox())

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        inbox.update { $0.messages.append(bytes) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.update { $0.isEnded = true }
    }
}
