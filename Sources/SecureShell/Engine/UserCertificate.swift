import Core

/// A user certificate (PROTOCOL.certkeys in OpenSSH's source).
struct UserCertificate: Sendable {
    let path: String
    /// The line of the file.
    let line: [UInt8]
    /// The certificate in wire format.
    let blob: [UInt8]
    let type: String
    /// The certified public key in wire format (RFC 4253 §6.6).
    let publicKey: [UInt8]

    private static let suffix = "-cert-v01@openssh.com"

    /// Returns nil unless the file contains a certificate of a supported type.
    init?(path: String, contents: [UInt8]) {
        guard let key = PublicKey(file: contents), let publicKey = Self.publicKey(in: key.blob) else { return nil }
        self.path = path
        line = contents
        blob = key.blob
        type = key.type
        self.publicKey = publicKey
    }

    /// The paths at which the certificate of a private key is found; the second one usually contains the public key.
    static func paths(ofKey path: String) -> [String] {
        ["\(path)-cert.pub", "\(path).pub"]
    }

    /// Returns the type of the certified key; nil for a type that is not that of a certificate.
    static func plainType(of type: String) -> String? {
        type.hasSuffix(suffix) ? String(type.dropLast(suffix.count)) : nil
    }

    private static func publicKey(in blob: [UInt8]) -> [UInt8]? {
        var reader = WireReader(blob[...])
        guard let type = reader.text().flatMap(plainType), reader.string() != nil else { return nil }
        let fields =
            switch type {
            case "ssh-ed25519": 1
            case "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521": 2
            default: 0
            }
        guard fields > 0 else { return nil }
        var key: [UInt8] = []
        key.appendString(Array(type.utf8))
        for _ in 0..<fields {
            guard let field = reader.string() else { return nil }
            key.appendString(field)
        }
        return key
    }
}
