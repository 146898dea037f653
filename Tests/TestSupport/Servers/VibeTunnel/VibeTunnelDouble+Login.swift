import Foundation
import Synchronization

/// The logins.
extension VibeTunnelDouble {
    /// The challenge that a client has received last, and its signature.
    package var signedChallenge: (challenge: [UInt8], signature: [UInt8]) {
        state.withLock { ($0.challenge, $0.signature) }
    }

    func isAuthorized(_ request: VibeTunnelRequest) -> Bool {
        guard let password else { return true }
        let field = request.fields["authorization"] ?? ""
        if field.hasPrefix("Basic "), era == .go || state.withLock(\.faults.acceptsBasic) {
            let credentials = Data(base64Encoded: String(field.dropFirst("Basic ".count))).map {
                String(decoding: $0, as: UTF8.self)
            }
            return credentials?.split(separator: ":", maxSplits: 1).last.map(String.init) == password
        }
        return state.withLock { $0.tokens.contains(String(field.dropFirst("Bearer ".count))) }
    }

    func authenticate(_ request: VibeTunnelRequest, _ path: [String], _ connection: LoopbackSocket) {
        let key = state.withLock(\.faults.authorizedKey)
        switch (request.method, path) {
        case ("GET", ["auth", "config"]):
            answer(
                connection,
                200,
                ["enableSSHKeys": key != nil, "disallowUserPassword": key != nil, "noAuth": password == nil]
            )
        case ("GET", ["auth", "current-user"]): answer(connection, 200, ["userId": Self.user])
        case ("POST", ["auth", "password"]):
            guard key == nil, request.json["userId"] as? String == Self.user,
                request.json["password"] as? String == password
            else { return answer(connection, 401, ["success": false, "error": "Invalid credentials"]) }
            login(by: "password", connection)
        case ("POST", ["auth", "challenge"]):
            guard request.json["userId"] as? String == Self.user else {
                return answer(connection, 404, ["error": "User not found"])
            }
            let challenge = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
            state.withLock { $0.challenge = challenge }
            let text = Data(challenge).base64EncodedString()
            answer(connection, 200, ["challengeId": "c1", "challenge": text, "expiresAt": 1_795_472_624_000])
        case ("POST", ["auth", "ssh-key"]):
            let words = (request.json["publicKey"] as? String ?? "").split(separator: " ")
            let signature = Data(base64Encoded: request.json["signature"] as? String ?? "") ?? Data()
            guard let key, words.first == "ssh-ed25519", words.count >= 2, key.contains(words[1]),
                request.json["challengeId"] as? String == "c1", signature.count == 64
            else { return answer(connection, 401, ["success": false, "error": "SSH key authentication failed"]) }
            state.withLock { $0.signature = Array(signature) }
            login(by: "ssh-key", connection)
        default: notFound(connection)
        }
    }

    private func login(by method: String, _ connection: LoopbackSocket) {
        let token = "token-\(UUID().uuidString)"
        state.withLock { _ = $0.tokens.insert(token) }
        answer(connection, 200, ["success": true, "token": token, "userId": Self.user, "authMethod": method])
    }
}
