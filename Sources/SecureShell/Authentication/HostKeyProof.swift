import Core

/// The server's signature of the session with its host key, which shows an agent where a signature is used
/// (`session-bind@openssh.com` in PROTOCOL.agent of OpenSSH's source).
///
/// libssh2 does not expose the signature, which is part of the first key exchange and therefore not encrypted.
struct HostKeyProof {
    private let hostKey: HostKey
    private let signature: [UInt8]

    /// The numbers of the messages that contain the signature, SSH_MSG_KEX_ECDH_REPLY (RFC 5656 §7.1) and
    /// SSH_MSG_KEX_DH_GEX_REPLY (RFC 4419 §5).
    private static let replies: Set<UInt8> = [31, 33]
    /// SSH_MSG_NEWKEYS (RFC 4253 §7.3), after which packets are encrypted.
    private static let newKeys: UInt8 = 21

    /// Finds the signature in the first bytes that the server has sent; nil if they do not contain it.
    init?(_ hostKey: HostKey, firstBytes: [UInt8]) {
        var reader = WireReader(firstBytes[...])
        while let line = reader.line(), !line.starts(with: Array("SSH-".utf8)) {}
        while let length = reader.uint32(), let padding = reader.byte(), length > UInt32(padding),
            let packet = reader.bytes(Int(length) - 1)
        {
            var payload = WireReader(packet.dropLast(Int(padding)))
            guard let number = payload.byte(), number != Self.newKeys else { return nil }
            guard Self.replies.contains(number), payload.string()?.elementsEqual(hostKey.blob) == true,
                payload.string() != nil, let signature = payload.string(), payload.isAtEnd
            else { continue }
            self.hostKey = hostKey
            self.signature = Array(signature)
            return
        }
        return nil
    }

    /// The request that binds an agent's connection to the session whose login is to be signed; nil if `data` is not a
    /// login, which starts with the ID of the session (RFC 4252 §7).
    func binding(forSigning data: [UInt8]) -> [UInt8]? {
        var reader = WireReader(data[...])
        guard let session = reader.string() else { return nil }
        // 27 is SSH_AGENTC_EXTENSION.
        var request: [UInt8] = [27]
        request.appendString(Array("session-bind@openssh.com".utf8))
        request.appendString(hostKey.blob)
        request.appendString(session)
        request.appendString(signature)
        // The agent is not being forwarded.
        request.append(0)
        return request
    }
}
