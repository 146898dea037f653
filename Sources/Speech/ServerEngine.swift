import Core
import NIOCore
import NIOHTTP1

/// Sends each recording to a server, over a connection of its own.
package struct ServerEngine: SpeechEngine {
    /// Opens a connection that has not started reading.
    package typealias Dial = @Sendable (Endpoint) async throws(VTError) -> any Channel

    private let plan: ServerPlan
    private let dial: Dial

    private static let answerLimitBytes = 1 << 20

    package init(_ plan: ServerPlan, dial: @escaping Dial) {
        self.plan = plan
        self.dial = dial
    }

    package func text(of audio: SpeechAudio) async throws(VTError) -> String {
        let request = request(for: audio, boundary: "vt-\(RandomIdentifier.make())")
        let channel = try await dial(plan.address.endpoint)
        let name = "\(plan.address)"
        let answer = try await request.answer(over: channel, limitBytes: Self.answerLimitBytes, name: name)
        return try text(in: answer)
    }

    // MARK: - Request

    /// Returns the request: multipart/form-data (RFC 7578).
    func request(for audio: SpeechAudio, boundary: String) -> HTTPRequest {
        let start = """
            --\(boundary)\r
            Content-Disposition: form-data; name="file"; filename="audio.\(audio.fileExtension)"\r
            Content-Type: \(audio.mediaType)\r
            \r

            """
        var end = "\r\n"
        for (name, value) in fields {
            end += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        end += "--\(boundary)--\r\n"
        let body = [Array(start.utf8), audio.bytes, Array(end.utf8)]
        var headers = HTTPHeaders([
            ("Host", plan.address.hostField), ("Connection", "close"), ("Accept", "application/json, text/plain"),
            ("Content-Type", "multipart/form-data; boundary=\(boundary)"),
            ("Content-Length", "\(body.reduce(0) { $0 + $1.count })"),
        ])
        if let token = plan.token {
            headers.add(name: "Authorization", value: "Bearer \(String(decoding: token.bytes, as: UTF8.self))")
        }
        let target = plan.address.path + plan.address.query
        return HTTPRequest(
            head: HTTPRequestHead(version: .http1_1, method: .POST, uri: target, headers: headers),
            body: body,
            securedFor: plan.address.isSecure ? plan.address.endpoint.host : nil
        )
    }

    /// The parts besides the file.
    private var fields: [(String, String)] {
        guard plan.api == .openai else { return [] }
        let optional = [("model", plan.model), ("response_format", "json"), ("language", plan.language)]
        return optional.compactMap { name, value in value.map { (name, $0) } }
    }

    // MARK: - Answer

    private func text(in answer: HTTPAnswer) throws(VTError) -> String {
        let status = answer.head.status
        func failure(_ code: VTError.Code, _ problem: String) -> VTError {
            let excerpt = excerpt(of: answer.body)
            return VTError(code, "\(plan.address) \(problem)\(excerpt.isEmpty ? "" : ": \(excerpt)")")
        }
        switch status.code {
        case 200..<300: break
        case 300..<400: throw failure(.protocolViolation, "answered \(status.code), a redirect, which is not followed")
        case 401, 403: throw failure(.authDenied, "answered \(status.code)")
        default: throw failure(.protocolViolation, "answered \(status.code)")
        }
        let type = answer.head.headers.first(name: "Content-Type") ?? ""
        let mediaType = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        guard ["application/json", "text/plain"].contains(mediaType) else {
            let shown = mediaType.isEmpty ? "no content type" : "'\(mediaType)'"
            throw failure(.protocolViolation, "answered with \(shown), not with JSON or text")
        }
        guard let text = String(validating: answer.body, as: UTF8.self) else {
            throw failure(.protocolViolation, "answered with text that is not UTF-8")
        }
        if mediaType == "text/plain" { return text }
        guard let json = try? JSONOutlineParser.parse(answer.body), let text = json.member("text"),
            let text = text.string(in: answer.body)
        else { throw failure(.protocolViolation, "answered without a text") }
        return text
    }

    /// The start of an answer; the token is removed, because servers repeat it in messages.
    private func excerpt(of body: [UInt8]) -> String {
        var text = String(decoding: body, as: UTF8.self)
        if let token = plan.token, !token.bytes.isEmpty {
            let secret = String(decoding: token.bytes, as: UTF8.self)
            text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "\(token)")
        }
        return SpokenText.excerpt(text)
    }
}
