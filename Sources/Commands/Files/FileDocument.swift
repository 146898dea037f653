import Arguments
import Core

/// A file in a directory as JSON.
struct FileDocument {
    private let name: String
    /// A name that is not valid UTF-8, in Base64.
    private let base64: String?
    private let kind: FileAttributes.Kind
    private let sizeBytes: UInt64?
    private let mode: String?
    private let modifiedAt: Timestamp?

    init(_ entry: DirectoryEntry) {
        name = entry.name.repairedText
        base64 = entry.name.text == nil ? Base64.encode(entry.name.bytes) : nil
        kind = entry.attributes.kind
        sizeBytes = entry.attributes.sizeBytes
        mode = entry.attributes.mode.map { mode in
            let digits = String(mode, radix: 8)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
        modifiedAt = entry.attributes.times.map { Timestamp(seconds: $0.modified) }
    }
}

extension FileDocument: JSONDocument {
    static let documentName = "directory entry"
    static let documentSummary = "a file in a directory"

    static let fields: JSONTable<Self> = [
        .field("name", \.name, "name; invalid UTF-8 is replaced"),
        .field("base64", \.base64, "the name in Base64, if it is not valid UTF-8"),
        .field("kind", \.kind, "kind of file; `other` includes devices, FIFOs and sockets"),
        .field("mode", \.mode, "permissions in octal, as for chmod(1): `0644`"),
        .field("size_bytes", \.sizeBytes, "size", in: .bytes),
        .field("modified_at", \.modifiedAt, "time of the last change to the contents", in: .time),
    ]
}
