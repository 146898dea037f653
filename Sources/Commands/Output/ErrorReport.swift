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
        guard !global.json else { return String(decoding: document.jsonLine, as: UTF8.self) }
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

    struct Document {
        let error: FailureDocument
    }
}

extension ErrorReport.Document: JSONDocument {
    static let documentName = "failure"
    static let documentSummary = "the failure of a command, on standard error"

    static let fields: JSONTable<Self> = [
        .field("error", \.error, "reason for the failure")
    ]
}
