import Core
import HTTP

/// Sends each recording to a server, over a connection of its own.
package struct ServerEngine: SpeechEngine {
    private let plan: ServerPlan
    private let client: HTTPClient

    private static let answerLimitBytes = 1 << 20

    package init(_ plan: ServerPlan, client: HTTPClient) {
        self.plan = plan
        self.client = client.trusting(plan.authorities)
    }

    package func text(of audio: SpeechAudio) async throws(VTError) -> String {
        let request = request(for: audio, boundary: "vt-\(RandomIdentifier.make())")
        do throws(VTError) {
            return try text(in: try await client.answer(to: request, limitBytes: Self.answerLimitBytes))
        } catch {
            guard error.code == .tlsUntrusted else { throw error }
            var error = error
            error.hint = error.hint ?? "use --ca FILE for an authority that the system does not know"
            throw error
        }
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
        return HTTPRequest(
            "POST",
            plan.address,
            fields: [
                ("Accept", "application/json, text/plain"),
                ("Content-Type", "multipart/form-data; boundary=\(boundary)"),
            ],
            body: [StoredBytes(Array(start.utf8))] + audio.parts + [StoredBytes(Array(end.utf8))],
            token: plan.token
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
        let status = answer.status
        func failure(_ code: VTError.Code, _ problem: String) -> VTError {
            let excerpt = excerpt(of: answer.body)
            return VTError(code, "\(plan.address) \(problem)\(excerpt.isEmpty ? "" : ": \(excerpt)")")
        }
        switch status {
        case 200..<300: break
        case 300..<400: throw failure(.protocolViolation, "answered \(status), a redirect, which is not followed")
        case 401, 403: throw failure(.authDenied, "answered \(status)")
        default: throw failure(.protocolViolation, "answered \(status)")
        }
        let mediaType = answer.mediaType
        guard ["application/json", "text/plain"].contains(mediaType) else {
            let shown = mediaType.isEmpty ? "no content type" : "'\(redacted(mediaType))'"
            throw failure(.protocolViolation, "answered with \(shown), not with JSON or text")
        }
        guard let text = String(validating: answer.body, as: UTF8.self) else {
            throw failure(.protocolViolation, "answered with text that is not UTF-8")
        }
        if mediaType == "text/plain" { return text }
        guard let json = try? JSONOutlineParser.parse(answer.body) else {
            throw failure(.protocolViolation, "answered with invalid JSON")
        }
        guard let text = json.member("text")?.string(in: answer.body) else {
            throw failure(.protocolViolation, "answered without a text")
        }
        return text
    }

    /// The start of an answer; the token is removed, because servers repeat it in messages.
    private func excerpt(of body: [UInt8]) -> String {
        SpokenText.excerpt(redacted(SpokenText(String(decoding: body, as: UTF8.self)).text))
    }

    /// Removes the token, also as JSON with escaped slashes, and in lower case.
    private func redacted(_ text: String) -> String {
        guard let token = plan.token, !token.bytes.isEmpty else { return text }
        let secret = String(decoding: token.bytes, as: UTF8.self)
        let forms = [secret, secret.replacing("/", with: "\\/")]
        return (forms + forms.map { $0.lowercased() }).reduce(text) { $0.replacing($1, with: "\(token)") }
    }
}
