import Arguments
import Core

/// A file in a directory as JSON.
struct FileDocument {
    let entry: DirectoryEntry

    var name: String { entry.name.repairedText }

    /// A name that is not valid UTF-8, in Base64.
    private var base64: String? {
        entry.name.text == nil ? Base64.encode(entry.name.bytes) : nil
    }

    private var mode: String? {
        entry.attributes.mode.map { mode in
            let digits = String(mode, radix: 8)
            return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    var modifiedAt: Timestamp? {
        entry.attributes.times.map { Timestamp(seconds: $0.modified) }
    }
}

extension FileDocument: JSONDocument {
    static let documentName = "directory entry"
    static let documentSummary = "a file in a directory"

    static let fields: JSONTable<Self> = [
        .field("name", \.name, "name; invalid UTF-8 is replaced"),
        .field("base64", \.base64, "the name in Base64, if it is not valid UTF-8"),
        .field("kind", \.entry.attributes.kind, "kind of file; `other` includes devices, FIFOs and sockets"),
        .field("mode", \.mode, "permissions in octal, as for chmod(1): `0644`"),
        .field("size_bytes", \.entry.attributes.sizeBytes, "size", in: .bytes),
        .field("modified_at", \.modifiedAt, "time of the last change to the contents", in: .time),
    ]
}
