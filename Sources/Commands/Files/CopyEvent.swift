import Arguments
import Core
import Services

/// One line of the output of `vt copy --json`.
struct CopyEvent {
    enum Kind: String, CaseIterable, JSONValue {
        case copied, skipped, failed
    }

    private let event: Kind
    private let target: String?
    private let source: String?
    private let destination: String?
    /// Paths that are not valid UTF-8, in Base64.
    private let sourceBase64: String?
    private let destinationBase64: String?
    private let kind: FileAttributes.Kind?
    private let sizeBytes: UInt64?
    private let error: FailureDocument?

    /// `target` is the name of the target, if there are several.
    init(_ event: Kind, _ item: CopyItem, target: String?) {
        self.event = event
        self.target = target
        source = item.source.repairedText
        destination = item.destination.repairedText
        sourceBase64 = Self.base64(item.source)
        destinationBase64 = Self.base64(item.destination)
        kind = item.attributes.kind
        sizeBytes = item.attributes.kind == .file ? item.attributes.sizeBytes : nil
        error = nil
    }

    /// Creates the event for a file that could not be copied or, if `source` is nil, for a target that failed.
    init(_ source: ByteString?, _ failure: VTError, target: String?) {
        event = .failed
        self.target = target
        self.source = source?.repairedText
        destination = nil
        sourceBase64 = source.flatMap(Self.base64)
        destinationBase64 = nil
        kind = nil
        sizeBytes = nil
        error = FailureDocument(failure, exit: failure.code.status)
    }

    private static func base64(_ path: ByteString) -> String? {
        path.text == nil ? Base64.encode(path.bytes) : nil
    }
}

extension CopyEvent: JSONDocument {
    static let documentName = "copy event"
    static let documentSummary = "an event of a copy"

    static let fields: JSONTable<Self> = [
        .field("event", \.event, "kind of event; `skipped`: already complete, with `--resume` or `--checksum`"),
        .field("target", \.target, "profile or server, if several are selected"),
        .field("source", \.source, "path of the file; invalid UTF-8 is replaced; absent if a target failed"),
        .field("destination", \.destination, "path of the copy, for `copied` and `skipped`"),
        .field("source_base64", \.sourceBase64, "the source in Base64, if it is not valid UTF-8"),
        .field("destination_base64", \.destinationBase64, "the destination in Base64, if it is not valid UTF-8"),
        .field("kind", \.kind, "kind of file, for `copied` and `skipped`"),
        .field("size_bytes", \.sizeBytes, "size of a file when the copy started", in: .bytes),
        .field("error", \.error, "why the file, or all files of the target, could not be copied, for `failed`"),
    ]
}
