import Core
import Services

extension DirectoryEntry: JSONDocument {
    package static let documentName = "directory entry"
    package static let documentSummary = "a file in a directory"

    package static let fields: JSONTable<Self> = [
        .field("name", \.name.jsonText, "name; invalid UTF-8 is replaced"),
        .field("base64", \.name.jsonBase64, "the name in Base64, if it is not valid UTF-8"),
        .field("kind", \.attributes.kind, "kind of file; `other` includes devices, FIFOs and sockets"),
        .field("mode", \.mode, "permissions in octal, as for chmod(1): `0644`"),
        .field("size_bytes", \.attributes.sizeBytes, "size", in: .bytes),
        .field("modified_at", \.modifiedAt, "time of the last change to the contents", in: .time),
    ]

    private var mode: String? { attributes.mode?.octal() }

    var modifiedAt: Timestamp? {
        attributes.times.map { Timestamp(seconds: $0.modified) }
    }
}
