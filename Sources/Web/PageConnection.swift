import Core
import NIOCore
import NIOWebSocket
import Runtime

/// A WebSocket as a channel of messages.
struct PageConnection: PageChannel {
    let address: String
    private static let lastWriteTimeout = TimeAmount.seconds(1)

    private let channel: any Channel
    private let inbox: Monitor<Inbox>

    init(_ channel: any Channel, _ inbox: Monitor<Inbox>) {
        self.channel = channel
        self.inbox = inbox
        address = channel.peerAddress
    }

    func read() async throws(VTError) -> [UInt8]? {
        try await inbox.next(from: channel)
    }

    /// Returns once the bytes have been passed to the system, so that at most one message of each writer is in memory.
    ///
    /// After cancellation, a page that does not read is disconnected.
    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await write(.binary, ByteBuffer(bytes: bytes))
    }

    func write(text: String) async throws(VTError) {
        try await write(.text, ByteBuffer(string: text))
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) async throws(VTError) {
        let channel = channel
        do {
            try await withTaskCancellationHandler {
                try await channel.writeAndFlush(MessageHandler.frame(opcode, data)).get()
            } onCancel: {
                channel.eventLoop.scheduleTask(in: Self.lastWriteTimeout) { channel.close(promise: nil) }
            }
        } catch {
            throw VTError(.hostUnreachable, "lost the connection to a page")
        }
    }

    func close() async {
        await close(.goingAway)
    }

    func close(_ reason: PageClosing) async {
        var code = ByteBuffer()
        code.writeInteger(reason.rawValue)
        let channel = channel
        channel.writeAndFlush(MessageHandler.frame(.connectionClose, code)).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}
