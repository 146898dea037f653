import Arguments
import Core

extension FileAttributes.Kind: JSONValue {}

/// A file in a directory as JSON.
struct FileDocument: Encodable {
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
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, base64, kind, mode
        case sizeBytes = "size_bytes"
        case modifiedAt = "modified_at"
    }

    static let documentName = "directory entry"
    static let documentSummary = "a file in a directory"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .name: JSONField(\Self.name, "name; invalid UTF-8 is replaced")
        case .base64: JSONField(\Self.base64, "the name in Base64, if it is not valid UTF-8")
        case .kind: JSONField(\Self.kind, "kind of file; `other` includes devices, FIFOs and sockets")
        case .mode: JSONField(\Self.mode, "permissions in octal, as for chmod(1): `0644`")
        case .sizeBytes: JSONField(\Self.sizeBytes, "size", in: .bytes)
        case .modifiedAt: JSONField(\Self.modifiedAt, "time of the last change to the contents", in: .time)
        }
    }
}
