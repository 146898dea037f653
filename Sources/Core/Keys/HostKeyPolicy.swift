/// Which host keys to trust.
package enum HostKeyPolicy: Hashable, Sendable {
    /// New hosts are trusted, stored and reported; known hosts must present a known key.
    case acceptNew
    /// Only known keys are trusted.
    case strict
    /// Only known keys are trusted; the user is asked about the key of an unknown host.
    case ask
    /// Only the key with this fingerprint, `SHA256:` and 43 characters of Base64, is trusted; known_hosts files are not
    /// read.
    case pin(String)
}

extension HostKeyPolicy: RawRepresentable {
    /// `accept-new`, `strict`, `ask` or `pin SHA256:…`.
    package init?(rawValue: String) {
        switch rawValue {
        case "accept-new": self = .acceptNew
        case "strict": self = .strict
        case "ask": self = .ask
        default:
            guard rawValue.hasPrefix("pin "), Self.isFingerprint(rawValue.dropFirst(4)) else { return nil }
            self = .pin(String(rawValue.dropFirst(4)))
        }
    }

    package var rawValue: String {
        switch self {
        case .acceptNew: "accept-new"
        case .strict: "strict"
        case .ask: "ask"
        case .pin(let fingerprint): "pin \(fingerprint)"
        }
    }

    /// Returns whether the text is a fingerprint as printed by `ssh-keygen -l`: `SHA256:` and 43 Base64 characters.
    package static func isFingerprint(_ text: some StringProtocol) -> Bool {
        guard text.hasPrefix("SHA256:") else { return false }
        let digest = text.utf8.dropFirst("SHA256:".utf8.count)
        return digest.count == 43
            && digest.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}

extension HostKeyPolicy: JSONReadable {}
