import Core
import NIOCore
import NIOHTTP1
import Runtime

/// Sends a request in chunks, each when the previous one has been sent, and collects the answer.
///
/// A server can answer before it has read the whole request.
final class HTTPExchange: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    let inbox: Monitor<HTTPInbox>
    private let head: HTTPRequestHead
    private let name: String
    private var unsent: any IteratorProtocol<StoredBytes>

    init(_ request: HTTPRequest, upgrades: Bool, _ inbox: Monitor<HTTPInbox>, name: String) {
        (self.inbox, self.name) = (inbox, name)
        head = request.head(upgrades: upgrades)
        unsent = request.body.lazy.flatMap(\.chunks).makeIterator()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        sendNext(context)
    }

    private func sendNext(_ context: ChannelHandlerContext) {
        let chunk: IOData
        do throws(VTError) {
            guard let bytes = try unsent.next()?.read() else {
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
                return
            }
            chunk = .byteBuffer(ByteBuffer(bytes: bytes))
        } catch {
            inbox.update { $0.end(error) }
            return
        }
        let loop = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        // If sending fails, the server may have answered already; otherwise, the connection is reported as closed.
        context.writeAndFlush(wrapOutboundOut(.body(chunk))).whenSuccess {
            // A socket that takes everything at once must not make this function call itself for each chunk.
            loop.eventLoop.execute {
                let (handler, context) = loop.value
                if !handler.inbox.withLock(\.isEnded) { handler.sendNext(context) }
            }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): inbox.update { $0.parts.append(.head(HTTPAnswer(head))) }
        case .body(let bytes): inbox.update { $0.append(bytes) }
        case .end: inbox.update { $0.end() }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A part may need more bytes.
        if inbox.withLock(\.isEmpty) { context.read() }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { endEarly() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        endEarly()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        inbox.update { $0.end(.http(error, name)) }
    }

    private func endEarly() {
        inbox.update { $0.end(.endedEarly(name)) }
    }
}
