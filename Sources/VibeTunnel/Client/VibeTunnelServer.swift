import Core
import HTTP
import Runtime
import Synchronization

/// A VibeTunnel server, to which vt logs in when it is asked to.
package final class VibeTunnelServer: Sendable {
    /// The two protocols of the servers.
    package enum Era: Sendable {
        /// June to December 2025: Server-Sent Events.
        case legacy
        /// Since December 2025: the WebSocket `/ws`.
        case v3
    }

    private struct State {
        /// Nil until a login has been necessary, or a token has been read.
        var authorization: Authorization?
        var hasReadToken = false
        var era: Era?
        /// What must not appear in messages.
        var secrets: [[UInt8]] = []
    }

    package let plan: VibeTunnelPlan
    let keys: any KeyPairSource
    let diagnostics: any Diagnostics
    private let http: HTTPClient
    private let state = Mutex(State())
    private let loggingIn = AsyncLock()

    /// The maximum length of an answer, such as the list of all sessions.
    private static let answerLimitBytes = 16 << 20

    /// `keys` finds the keys with which vt can log in.
    package init(
        _ plan: VibeTunnelPlan,
        http: HTTPClient,
        keys: any KeyPairSource,
        diagnostics: any Diagnostics
    ) {
        (self.plan, self.keys, self.diagnostics) = (plan, keys, diagnostics)
        self.http = http.trusting(plan.authorities)
    }

    // MARK: - Requests

    /// Sends a request, and returns its answer if that means success.
    ///
    /// - Throws: `auth.denied` after a second refusal; `not-found`; `timed-out`; `protocol`; errors of the connection.
    func answer(
        _ method: String = "GET",
        _ path: String,
        _ body: [UInt8]? = nil,
        timeout: Duration? = nil
    ) async throws(VTError) -> HTTPAnswer {
        let answer = try await authorized { (authorization) async throws(VTError) in
            let answer = try await self.send(method, path, body, authorization, timeout: timeout)
            return answer.status == 401 ? .refused(answer) : .answered(answer)
        }
        guard (200..<300).contains(answer.status) else { throw failure(answer, method, path) }
        return answer
    }

    /// Returns the answer to a request, whatever it is.
    func send(
        _ method: String,
        _ path: String,
        _ body: [UInt8]? = nil,
        _ authorization: Authorization? = nil,
        timeout: Duration? = nil
    ) async throws(VTError) -> HTTPAnswer {
        do throws(VTError) {
            return try await http.answer(
                to: request(method, path, body, authorization),
                limitBytes: Self.answerLimitBytes,
                timeout: timeout ?? plan.connectTimeout
            )
        } catch {
            throw hinted(error)
        }
    }

    private func request(
        _ method: String,
        _ path: String,
        _ body: [UInt8]? = nil,
        _ authorization: Authorization?
    ) -> HTTPRequest {
        var request = HTTPRequest(method, address(of: path), fields: [(name: "Accept", value: "*/*")])
        if let body {
            request.fields.append((name: "Content-Type", value: "application/json"))
            request.body = [StoredBytes(body)]
        }
        authorization?.apply(to: &request)
        return request
    }

    /// The address of a path such as `/api/health`.
    private func address(of path: String) -> HTTPAddress {
        var address = plan.address
        let base = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
        (address.path, address.query) = (base + path, "")
        return address
    }

    // MARK: - Streams

    /// Determines the protocol, unless it is known; only newer servers of the v3 era report that they are `healthy`.
    package func era() async throws(VTError) -> Era {
        if let era = state.withLock(\.era) { return era }
        let health = try await send("GET", "/api/health")
        let isHealthy = (200..<300).contains(health.status) && health.text("status") == "healthy"
        let era: Era
        if isHealthy { era = .v3 } else { era = try await opensSocket() ? .v3 : .legacy }
        state.withLock { $0.era = era }
        return era
    }

    /// The version in the answer to `/api/health`, which needs no login; nil if there is none.
    ///
    /// - Throws: `protocol` for a server that is not one of VibeTunnel.
    package func version() async throws(VTError) -> String? {
        let path = "/api/health"
        let answer = try await send("GET", path)
        guard (200..<300).contains(answer.status) else { throw failure(answer, "GET", path) }
        guard let json = try? JSONOutlineParser.parse(answer.body), json.member("status") != nil else {
            throw unexpected(answer, path)
        }
        return json.member("version")?.string(in: answer.body)
    }

    private func opensSocket() async throws(VTError) -> Bool {
        do throws(VTError) {
            try await withSocket { (_) async throws(VTError) in }
            return true
        } catch {
            // The server has answered in another way, such as with a page.
            guard error.code == .notFound || error.code == .protocolViolation else { throw error }
            return false
        }
    }

    /// Opens `/ws` for the duration of `body`.
    func withSocket<Result: Sendable>(
        _ body: (WebSocket) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        try await authorized { (authorization) async throws(VTError) in
            let refusal = Mutex<HTTPAnswer?>(nil)
            do throws(VTError) {
                let result = try await http.withSocket(
                    at: request("GET", "/ws", nil, authorization),
                    limitBytes: VibeTunnelFrame.limitBytes,
                    timeout: plan.connectTimeout,
                    refusal: { answer in
                        refusal.withLock { $0 = answer }
                        return self.failure(answer, "GET", "/ws")
                    },
                    body
                )
                return .answered(result)
            } catch {
                guard let answer = refusal.withLock({ $0 }), answer.status == 401 else { throw error }
                return .refused(answer)
            }
        }
    }

    /// Opens a stream of Server-Sent Events for the duration of `body`.
    func withEvents<Result: Sendable>(
        of path: String,
        _ body: (HTTPStream) async throws(VTError) -> Result
    ) async throws(VTError) -> Result {
        try await authorized { (authorization) async throws(VTError) in
            try await http.withAnswer(to: request("GET", path, nil, authorization), timeout: plan.connectTimeout) {
                (stream) async throws(VTError) in
                let answer = stream.head
                if answer.status == 401 { return .refused(answer) }
                guard (200..<300).contains(answer.status) else { throw self.failure(answer, "GET", path) }
                guard answer.mediaType == "text/event-stream" else { throw self.unexpected(answer, path) }
                return .answered(try await body(stream))
            }
        }
    }

    // MARK: - Login

    private enum Attempt<Result: Sendable>: Sendable {
        case answered(Result)
        /// The server requires a login.
        case refused(HTTPAnswer)
    }

    /// Makes an attempt and, if the server refuses it, another one after a login: servers that have been restarted no
    /// longer accept the tokens of their predecessors.
    private func authorized<Result: Sendable>(
        _ attempt: (Authorization?) async throws(VTError) -> Attempt<Result>
    ) async throws(VTError) -> Result {
        let known = try await authorization()
        switch try await attempt(known) {
        case .answered(let result): return result
        case .refused(let refusal):
            switch try await attempt(try await logIn(after: refusal, with: known)) {
            case .answered(let result): return result
            case .refused: throw denied
            }
        }
    }

    /// The authorization of earlier requests, or the token of an earlier command.
    private func authorization() async throws(VTError) -> Authorization? {
        try await loggingIn.withLock { () async throws(VTError) in
            let known = state.withLock { state -> (Authorization?, isFinal: Bool) in
                defer { state.hasReadToken = true }
                return (state.authorization, state.authorization != nil || state.hasReadToken)
            }
            guard !known.isFinal, let token = try await plan.savedToken() else { return known.0 }
            keep(.token(token))
            return .token(token)
        }
    }

    /// Logs in, unless that has been done since the request that was refused.
    private func logIn(after refusal: HTTPAnswer, with used: Authorization?) async throws(VTError) -> Authorization {
        try await loggingIn.withLock { () async throws(VTError) in
            if let current = state.withLock(\.authorization), current != used { return current }
            let authorization = try await newAuthorization(after: refusal)
            guard authorization != used else { throw denied }
            if case .token(let token) = authorization { await save(token) }
            keep(authorization)
            return authorization
        }
    }

    /// Saves the token of a login for later commands, which otherwise log in again.
    private func save(_ token: Secret) async {
        do throws(VTError) {
            try await plan.saveToken(token)
        } catch {
            diagnostics.detail("cannot save the login to '\(plan.name)': \(error.message)")
        }
    }

    /// Removes secrets from messages, in which the server could repeat them.
    func conceal(_ secrets: [[UInt8]]) {
        state.withLock { $0.secrets += secrets }
    }

    private func keep(_ authorization: Authorization) {
        state.withLock { $0.authorization = authorization }
        conceal(authorization.secrets)
    }

    var denied: VTError {
        VTError(
            .authDenied,
            "'\(plan.name)' has rejected the password",
            hint: "to replace it, use 'vt profile edit \(plan.name) --password-stdin'"
        )
    }

    // MARK: - Errors

    /// Adds what can be done about a certificate that is not trusted.
    private func hinted(_ error: VTError) -> VTError {
        guard error.code == .tlsUntrusted, error.hint == nil else { return error }
        var error = error
        error.hint = "to trust an authority of your own, use 'vt profile edit \(plan.name) --ca FILE'"
        return error
    }

    /// The error for an answer that does not mean success.
    func failure(_ answer: HTTPAnswer, _ method: String, _ path: String) -> VTError {
        let text = shownText(of: answer)
        let code: VTError.Code =
            switch answer.status {
            case 401, 403: .authDenied
            case 404, 410: .notFound
            case 409, 429: .busy
            // A proxy has no answer from the server (RFC 9110 §15.6.3 to §15.6.5).
            case 502...504: .hostUnreachable
            default: .protocolViolation
            }
        guard !(300..<400).contains(answer.status) else {
            return VTError(
                code,
                "'\(plan.name)' answered \(method) \(path) with a redirect (\(answer.status)), which is not followed",
                hint: "to change the URL, use 'vt profile edit \(plan.name) --vibetunnel URL'"
            )
        }
        return VTError(
            code,
            "'\(plan.name)' answered \(answer.status)" + (text.isEmpty ? " to \(method) \(path)" : ": \(text)"),
            // Servers count requests and failed logins for a minute.
            hint: answer.status == 429 ? "wait a minute" : nil
        )
    }

    /// The error for an answer that means success, but is not what was expected.
    func unexpected(_ answer: HTTPAnswer, _ path: String) -> VTError {
        let kind = answer.mediaType == "text/html" ? "with a page" : "in an unexpected form"
        return VTError(
            .protocolViolation,
            "'\(plan.name)' answered GET \(path) \(kind)",
            hint: "to check whether \(plan.address) is a VibeTunnel server, use 'vt profile test \(plan.name)'"
        )
    }

    /// The start of the message in an answer, without secrets, because servers can repeat them.
    private func shownText(of answer: HTTPAnswer) -> String {
        guard answer.mediaType != "text/html" else { return "" }
        var shown = answer.text("details") ?? answer.text("error") ?? answer.text("message") ?? ""
        if (try? JSONOutlineParser.parse(answer.body)) == nil {
            shown = String(decoding: answer.body.prefix(16 * Self.shownBytes), as: UTF8.self)
        }
        for secret in state.withLock(\.secrets) where !secret.isEmpty {
            let secret = String(decoding: secret, as: UTF8.self)
            shown = shown.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "<secret>")
        }
        let line = shown.prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }
        return String(line.prefix(Self.shownBytes))
    }

    private static let shownBytes = 300
}

extension HTTPAnswer {
    /// A member of the object that is the body, if it is a string.
    func text(_ member: String) -> String? {
        (try? JSONOutlineParser.parse(body))?.member(member)?.string(in: body)
    }
}
