import Core
import HTTP
import NIOCore

/// A WebSocket as a channel of messages.
struct PageConnection: PageChannel {
    /// The maximum length of a message of a page.
    static let limitBytes = 64 << 10

    let address: String
    private let socket: WebSocket
    private let channel: any Channel
    private let connections: Connections

    /// Takes over a channel whose frames are decoded; must be called on its event loop.
    init(_ channel: any Channel, _ connections: Connections, limitBytes: Int, acceptsText: Bool) throws {
        (self.channel, self.connections) = (channel, connections)
        address = channel.peerAddress
        socket = try WebSocket(.server, over: channel, limitBytes: limitBytes, acceptsText: acceptsText)
    }

    func keep() {
        _ = connections.use(channel, as: .client)
    }

    func read() async throws(VTError) -> [UInt8]? {
        switch try await socket.read() {
        case .binary(let bytes): bytes
        case .text(let text): Array(text.utf8)
        case nil: nil
        }
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await socket.write(.binary(bytes))
    }

    func write(text: String) async throws(VTError) {
        try await socket.write(.text(text))
    }

    func close() async {
        await close(.goingAway)
    }

    func close(_ reason: PageClosing) async {
        await socket.close(reason.rawValue)
    }
}
