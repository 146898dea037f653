import Core
import HTTP
import NIOCore

/// A WebSocket as a channel of messages.
struct PageConnection: PageChannel {
    /// The maximum length of a message.
    static let limitBytes = 64 << 10

    let address: String
    private let socket: WebSocket

    /// Takes over a channel whose frames are decoded; must be called on its event loop.
    init(_ channel: any Channel) throws {
        address = channel.peerAddress
        socket = try WebSocket(.server, over: channel, limitBytes: Self.limitBytes, acceptsText: false)
    }

    func read() async throws(VTError) -> [UInt8]? {
        guard case .binary(let bytes) = try await socket.read() else { return nil }
        return bytes
    }

    func write(_ bytes: [UInt8]) async throws(VTError) {
        try await socket.write(.binary(bytes))
    }

    func close() async {
        await close(.goingAway)
    }

    func close(_ reason: PageClosing) async {
        await socket.close(reason.rawValue)
    }
}
