import Core
import Services

/// One line of the output of `vt copy --json`.
struct CopyEvent {
    enum Kind: String, CaseIterable, JSONValue {
        case copied, skipped, failed
    }

    private let event: Kind
    /// The name of the target, if there are several.
    private let target: String?
    private var source: ByteString?
    private var destination: ByteString?
    private var attributes: FileAttributes?
    private var error: FailureDocument?

    init(_ event: Kind, _ item: CopyItem, target: String?) {
        (self.event, self.target) = (event, target)
        (source, destination, attributes) = (item.source, item.destination, item.attributes)
    }

    /// Creates the event for a file that could not be copied or, if `source` is nil, for a target that failed.
    init(_ source: ByteString?, _ failure: VTError, target: String?) {
        (event, self.target, self.source) = (.failed, target, source)
        error = FailureDocument(failure, exit: failure.code.status)
    }

    private var sizeBytes: UInt64? { attributes?.kind == .file ? attributes?.sizeBytes : nil }
}

extension CopyEvent: JSONDocument {
    static let documentName = "copy event"
    static let documentSummary = "an event of a copy"

    static let fields: JSONTable<Self> = [
        .field("event", \.event, "kind of event; `skipped`: already complete, with `--resume` or `--checksum`"),
        .field("target", \.target, "profile or server, if several are selected"),
        .field("source", \.source?.jsonText, "path of the file; invalid UTF-8 is replaced; absent if a target failed"),
        .field("destination", \.destination?.jsonText, "path of the copy, for `copied` and `skipped`"),
        .field("source_base64", \.source?.jsonBase64, "the source in Base64, if it is not valid UTF-8"),
        .field("destination_base64", \.destination?.jsonBase64, "the destination in Base64, if it is not valid UTF-8"),
        .field("kind", \.attributes?.kind, "kind of file, for `copied` and `skipped`"),
        .field("size_bytes", \.sizeBytes, "size of a file when the copy started", in: .bytes),
        .field("error", \.error, "why the file, or all files of the target, could not be copied, for `failed`"),
    ]
}
