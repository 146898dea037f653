import Arguments
import Core

/// The report of an error on standard error, as text or JSON.
struct ErrorReport {
    private let error: VTError
    private let status: UInt8
    private let global: GlobalOptions

    init(_ error: VTError, status: UInt8, global: GlobalOptions) {
        self.error = error
        self.status = status
        self.global = global
    }

    /// The text to print: one line per part, sanitized, or, with `--json`, a document on one line.
    var text: String {
        if global.json, let line = try? JSONText.line(document) {
            // A document that cannot be encoded is printed as text instead.
            return String(decoding: line, as: UTF8.self) + "\n"
        }
        // If the exit status does not identify the error code, the code is part of the text.
        let isShownByStatus = status == error.code.status
        var lines = ["vt: \(error.message.sanitized)" + (isShownByStatus ? "" : " (\(error.code.rawValue))")]
        if global.verbosity > 0 { lines += error.causes.map { "caused by: \($0.sanitized)" } }
        if let hint = error.hint { lines.append("hint: \(hint.sanitized)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var document: Document {
        Document(error: FailureDocument(error, exit: status))
    }

    struct Document: Encodable {
        let error: FailureDocument
    }
}

extension ErrorReport.Document: JSONDocument {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case error
    }

    static let documentName = "failure"
    static let documentSummary = "the failure of a command, on standard error"

    static func field(_ key: CodingKeys) -> JSONField {
        switch key {
        case .error: JSONField(\Self.error, "reason for the failure")
        }
    }
}
