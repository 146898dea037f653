import Core
import NIOCore
import NIOHTTP1
import Synchronization

/// Decides what is done with a request.
final class Gate: Sendable {
    /// How a request is answered.
    enum Answer {
        /// With a WebSocket, if the request asks for one.
        case socket
        case file(PageFile)
        case download(ticket: String)
        /// By the interface for programs, once the body has arrived.
        case interface
        case refusal(HTTPResponseStatus)
    }

    let site: any WebSite
    let interface: (any WebInterface)?
    let connections = Connections()
    private let settings: WebSettings
    /// The number of programs that use the interface, besides those that only send requests.
    private let programCount = Mutex(0)

    init(_ site: any WebSite, _ interface: (any WebInterface)?, _ settings: WebSettings) {
        (self.site, self.interface, self.settings) = (site, interface, settings)
    }

    /// Counts a program that has logged in, until its connection is closed.
    func addProgram(_ channel: any Channel) {
        _ = connections.use(channel, as: .client)
        programCount.withLock { $0 += 1 }
        channel.closeFuture.whenComplete { _ in self.programCount.withLock { $0 -= 1 } }
    }

    /// Whether another client can be served.
    var hasRoom: Bool { programCount.withLock(\.self) + site.clientCount < settings.maximumClients }

    func answer(to head: HTTPRequestHead, on channel: any Channel) -> Answer {
        let rules = RequestRules(addresses(of: channel))
        let path = rules.path(of: head)
        let isForPrograms = interface != nil && path.hasPrefix("api/")
        if let refusal = rules.refusal(of: head, isForPrograms: isForPrograms) { return .refusal(refusal) }
        if isForPrograms { return .interface }
        if path == "ws" || path == "buffers" && interface != nil {
            return refusal(ofSocket: head, on: channel).map { .refusal($0) } ?? .socket
        }
        if path.hasPrefix("download/") { return .download(ticket: String(path.dropFirst("download/".count))) }
        return PageFile.at(path).map { .file($0) } ?? .refusal(.notFound)
    }

    private func refusal(ofSocket head: HTTPRequestHead, on channel: any Channel) -> HTTPResponseStatus? {
        guard head.method == .GET else { return .methodNotAllowed }
        // A page asks without a handshake why it was refused: scripts cannot see the answer to a handshake.
        guard hasRoom else { return .serviceUnavailable }
        guard head.isForPage || interface != nil else { return .badRequest }
        guard !head.isForPage else { return nil }
        return interface?.refusal(ofSocket: request(head, on: channel)).map { HTTPResponseStatus(statusCode: $0) }
    }

    /// The maximum length of a message on the WebSocket that a request opens.
    func messageLimitBytes(of head: HTTPRequestHead, on channel: any Channel) -> Int {
        guard let interface, !head.isForPage else { return PageConnection.limitBytes }
        return interface.allowance(of: request(head, on: channel)).messageBytes
    }

    /// The request for the interface, without its body.
    func request(_ head: HTTPRequestHead, on channel: any Channel) -> WebRequest {
        WebRequest(
            method: head.method.rawValue,
            path: String(RequestRules(addresses(of: channel)).path(of: head)),
            query: String(head.uri.drop { $0 != "?" }.dropFirst()),
            authorization: head.headers["authorization"].first,
            address: channel.peerAddress
        )
    }

    /// The addresses by which a client can have reached this end of the connection.
    private func addresses(of channel: any Channel) -> [WebOrigin] {
        guard let local = channel.localAddress, let address = local.ipAddress, let port = local.port else { return [] }
        let own = Endpoint(host: address, port: UInt16(clamping: port))
        let names = address.isLoopback ? [own, Endpoint(host: "localhost", port: own.port)] : [own]
        let origins = names.map { WebOrigin(scheme: settings.scheme, host: $0.description) }
        return settings.origin.map { origins + [$0] } ?? origins
    }
}

extension HTTPRequestHead {
    /// Whether a request for a WebSocket comes from a page, and not from another program.
    var isForPage: Bool { headers[canonicalForm: "sec-websocket-protocol"].contains(PageFrame.subprotocol[...]) }
}

extension String {
    /// Whether this is an address of the loopback interface (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    var isLoopback: Bool { hasPrefix("127.") || self == "::1" }
}

extension Channel {
    /// The address at the other end.
    var peerAddress: String { remoteAddress?.ipAddress ?? "" }
}
