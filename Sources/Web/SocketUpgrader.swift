import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Opens WebSockets whose maximum length of a frame depends on the request.
///
/// The decoder keeps a frame in memory until it is complete, also that of a client that has not logged in.
struct SocketUpgrader: HTTPServerProtocolUpgrader {
    let limitBytes: @Sendable (HTTPRequestHead, any Channel) -> Int
    let shouldUpgrade: @Sendable (any Channel, HTTPRequestHead) -> EventLoopFuture<HTTPHeaders?>
    let completion: @Sendable (any Channel, HTTPRequestHead) -> EventLoopFuture<Void>

    let supportedProtocol = "websocket"
    let requiredUpgradeHeaders: [String] = []

    private func upgrader(for head: HTTPRequestHead, on channel: any Channel) -> NIOWebSocketServerUpgrader {
        NIOWebSocketServerUpgrader(
            maxFrameSize: limitBytes(head, channel),
            automaticErrorHandling: false,
            shouldUpgrade: shouldUpgrade,
            upgradePipelineHandler: completion
        )
    }

    func buildUpgradeResponse(
        channel: any Channel,
        upgradeRequest: HTTPRequestHead,
        initialResponseHeaders: HTTPHeaders
    ) -> EventLoopFuture<HTTPHeaders> {
        upgrader(for: upgradeRequest, on: channel).buildUpgradeResponse(
            channel: channel,
            upgradeRequest: upgradeRequest,
            initialResponseHeaders: initialResponseHeaders
        )
    }

    func upgrade(context: ChannelHandlerContext, upgradeRequest: HTTPRequestHead) -> EventLoopFuture<Void> {
        upgrader(for: upgradeRequest, on: context.channel).upgrade(context: context, upgradeRequest: upgradeRequest)
    }
}
