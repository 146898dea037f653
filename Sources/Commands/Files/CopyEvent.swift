import Arguments
import Core
import Services

/// One line of the output of `vt copy --json`.
struct CopyEvent: Encodable {
    enum Kind: String, CaseIterable, JSONValue {
        case copied, skipped, failed
    }

    private let event: Kind
    private let source: String
    private let destination: String?
    private let kind: FileAttributes.Kind?
    private let sizeBytes: UInt64?
    private let error: FailureDocument?

    init(_ event: Kind, _ item: CopyItem) {
        self.event = event
        source = item.source.repairedText
        destination = item.destination.repairedText
        kind = item.attributes.kind
        sizeBytes = item.attributes.kind == .file ? item.attributes.sizeBytes : nil
        error = nil
    }

    /// Creates the event for a file that could not be copied.
    init(_ source: ByteString, _ failure: VTError) {
        event = .failed
        self.source = source.repairedText
        destination = nil
        kind = nil
        sizeBytes = nil
        error = FailureDocument(failure, exit: failure.code.status)
    }
}

extension CopyEvent: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case event, source, destination, kind, error
        case sizeBytes = "size_bytes"
    }

    static let documentName = "copy event"
    static let documentSummary = "an event of a copy"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .event: JSONField(\Self.event, "kind of event; `skipped`: already complete, with `--resume`")
        case .source: JSONField(\Self.source, "path of the file; invalid UTF-8 is replaced")
        case .destination: JSONField(\Self.destination, "path of the copy, for `copied` and `skipped`")
        case .kind: JSONField(\Self.kind, "kind of file, for `copied` and `skipped`")
        case .sizeBytes: JSONField(\Self.sizeBytes, "size of a file when the copy started", in: .bytes)
        case .error: JSONField(\Self.error, "why the file could not be copied, for `failed`")
        }
    }
}
