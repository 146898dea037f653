import Core

extension KnownHost: JSONDocument {
    package static let documentName = "known host key"
    package static let documentSummary = "a host key in a known_hosts file"

    package static let fields: JSONTable<Self> = [
        .field("names", \.names, "comma-separated names and patterns, or one hashed name, as in the file"),
        .field("marker", \.marker, "role of the key, if it is not an ordinary host key"),
        .field("key_type", \.keyType, "key type"),
        .field("fingerprint", \.fingerprint, "SHA-256 fingerprint, as printed by `ssh-keygen -l`"),
        .field("file", \.file, "path of the file"),
        .field("line", \.line, "line number, starting at 1"),
        .field("own", \.isOwn, "whether the file is vt's own, the only one that vt changes"),
    ]
}
