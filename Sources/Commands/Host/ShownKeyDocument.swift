import Core
import Services

/// A host key presented by a server, as JSON.
struct ShownKeyDocument {
    let item: HostService.ShownKey
    let host: HostSelection.Host

    private var key: String { Base64.encode(item.key.blob) }
}

extension ShownKeyDocument: JSONDocument {
    static let documentName = "host key"
    static let documentSummary = "a host key presented by a server"

    static let fields: JSONTable<Self> = [
        .field("profile", \.host.profile, "profile; absent for a server that is not saved"),
        .field("host", \.host.endpoint.host, "host name or address"),
        .field("port", \.host.endpoint.port, "port"),
        .field("key_type", \.item.key.type, "key type"),
        .field("fingerprint", \.item.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`"),
        .field("key", \.key, "public key in Base64, as in a known_hosts file"),
        .field("status", \.item.standing, "status of the key; `new`: no key of this type is known"),
    ]
}
