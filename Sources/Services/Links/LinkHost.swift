import Core
import HTTP
import Runtime
import Synchronization

/// The sessions behind a link, reached as if `vt relay` ran there: nothing else can be run.
///
/// Each call has a connection of its own; the first is established before the call, so that a server that cannot be
/// reached is reported as such.
package final class LinkHost: RemoteHost {
    private let plan: LinkPlan
    private let client: HTTPClient
    private let observer: ConnectionObserver
    /// The connection for the next call; nil once it has been used.
    private let waiting = Mutex<WebSocket?>(nil)

    /// The maximum length of a message in both directions, as for pages.
    private static let messageBytes = 64 << 10

    private init(_ plan: LinkPlan, _ client: HTTPClient, _ observer: @escaping ConnectionObserver) {
        (self.plan, self.client, self.observer) = (plan, client, observer)
    }

    /// - Throws: `host.unreachable`, `host.unresolved` and `tls.untrusted`; `protocol` for a server other than
    ///   `vt serve`; `busy`; errors from the store of the token.
    package static func connect(
        _ plan: LinkPlan,
        client: HTTPClient,
        observer: @escaping ConnectionObserver
    ) async throws(VTError) -> LinkHost {
        let host = LinkHost(plan, client.trusting(plan.authorities), observer)
        let socket = try await host.open()
        host.waiting.withLock { $0 = socket }
        return host
    }

    package func close() async {
        await takeWaiting()?.close()
    }

    /// - Throws: `usage` for programs other than vt's relay; `auth.denied` for a link that is not accepted.
    package func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus {
        switch request.command {
        case RemoteVTCommand.relay.command:
            return try await withSocket { socket throws(VTError) in
                try await streams.output.write(RemoteVTCommand.marker)
                return try await self.pass(streams, over: socket)
            }
        case RemoteVTCommand.version.command:
            let version = try await withSocket { socket throws(VTError) in try await self.version(over: socket) }
            try await streams.output.write(RemoteVTCommand.marker + Array("vt \(version)\n".utf8))
            return .exited(0)
        default: throw plan.unavailable("run programs on")
        }
    }

    // MARK: - Connections

    private func takeWaiting() -> WebSocket? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }

    private func withSocket<Result: Sendable>(
        _ body: (WebSocket) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        let socket = if let socket = takeWaiting() { socket } else { try await open() }
        return try await socket.whileOpen(body)
    }

    /// Connects, and logs in.
    private func open() async throws(VTError) -> WebSocket {
        let (plan, token) = (plan, try await plan.token())
        var address = plan.address
        address.path += "ws"
        let request = HTTPRequest("GET", address, fields: [("Sec-WebSocket-Protocol", PageFrame.subprotocol)])
        do throws(VTError) {
            let socket = try await client.socket(
                at: request,
                limitBytes: Self.messageBytes,
                timeout: plan.connectTimeout,
                refusal: { answer in plan.refusal(answer.status) }
            )
            observer(plan.name, .connected(address: plan.address.endpoint.description))
            try await socket.write(.binary(SessionFrame.page(.relay(token: token.bytes)).encoded))
            return socket
        } catch {
            var error = error
            // As with a server that does not respond to SSH.
            if error.code == .timedOut { error.code = .hostUnreachable }
            if error.code == .tlsUntrusted {
                error.hint = "to trust its authority, use 'vt profile edit \(plan.name) --ca FILE'"
            }
            throw error
        }
    }

    // MARK: - Conversations

    /// Passes on bytes in both directions until the server closes the connection.
    private func pass(_ streams: ProgramStreams, over socket: WebSocket) async throws(VTError) -> ExitStatus {
        let plan = plan
        return try await withWatch({ () async throws(VTError) in
            while let bytes = try await streams.input.read() {
                var rest = bytes[...]
                while !rest.isEmpty {
                    try await socket.write(.binary(Array(rest.prefix(Self.messageBytes))))
                    rest = rest.dropFirst(Self.messageBytes)
                }
            }
            await socket.close()
        }) { () async throws(VTError) in
            while case .binary(let bytes) = try await socket.read() { try await streams.output.write(bytes) }
            if let failure = plan.failure(socket.closeCode) { throw failure }
            return .exited(0)
        }
    }

    private func version(over socket: WebSocket) async throws(VTError) -> String {
        let hello = SessionFrame.hello(protocolNumber: SessionFrame.protocolNumber, features: 0, version: "")
        try await socket.write(.binary(hello.encoded))
        var decoder = SessionFrameDecoder()
        while case .binary(let bytes) = try await socket.read() {
            decoder.append(bytes)
            guard case .hello(_, _, let version) = try decoder.next() else { continue }
            observer(plan.name, .authenticated(method: "link"))
            return version
        }
        throw plan.failure(socket.closeCode)
            ?? VTError(.protocolViolation, "vt on '\(plan.name)' did not send a greeting")
    }
}

extension LinkPlan {
    /// The error for something other than sessions; `action` precedes the name.
    func unavailable(_ action: String) -> VTError {
        VTError(
            .usage,
            "cannot \(action) '\(name)': it is reached \(ConnectionPlan.link(self).transport.phrase)",
            hint: "to run a command in a session, use 'vt sessions exec \(name):SESSION COMMAND'"
        )
    }

    /// The error for a server that does not open a WebSocket.
    fileprivate func refusal(_ status: Int) -> VTError {
        switch status {
        case 403, 421:
            VTError(
                .protocolViolation,
                "'\(name)' answered \(status): it does not serve pages at '\(address)'",
                hint: "start it with --origin \(address)"
            )
        case 429: VTError(.busy, "too many logins at '\(name)' have failed", hint: "try again in a minute")
        case 503: VTError(.busy, "'\(name)' serves the maximum number of pages")
        default: VTError(.protocolViolation, "'\(name)' answered \(status), unlike 'vt serve'")
        }
    }

    /// The error for a connection that the server has closed; nil if it has served its purpose.
    fileprivate func failure(_ code: UInt16?) -> VTError? {
        func denied(_ problem: String) -> VTError {
            let hint = "to use another link, pipe it to 'vt profile edit \(name) --link-stdin'"
            return VTError(.authDenied, "the link of '\(name)' \(problem)", hint: hint)
        }
        switch code.flatMap({ PageClosing(rawValue: $0) }) {
        case .done: return nil
        case .unknownLink: return denied("is unknown or has expired")
        case .revoked: return denied("has been revoked")
        case .pageExpected: return denied("can be used once, by a page in a browser")
        case .usedLink: return denied("could be used once, and a page has used it")
        case .tooManyLogins: return refusal(429)
        case .tooManyClients: return refusal(503)
        case .loginExpected: return VTError(.protocolViolation, "vt on '\(name)' is too old for profiles with links")
        case .protocolError, .unsupportedData, .messageTooBig:
            return VTError(.protocolViolation, "'\(name)' closed the connection, with code \(code ?? 0)")
        case nil, .goingAway, .loginTimedOut, .internalError:
            return .connectionLost(to: name)
        }
    }
}
