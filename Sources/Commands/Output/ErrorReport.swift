import Arguments
import Core

/// The report of an error on standard error, as text or JSON.
struct ErrorReport {
    let error: VTError
    /// The exit status of the process.
    let status: UInt8

    init(_ error: VTError, status: UInt8) {
        self.error = error
        self.status = status
    }

    /// Returns the text to print: one line per part, sanitized, or, with `--json`, a document on one line.
    func text(_ global: GlobalOptions) -> String {
        guard !global.json else { return String(decoding: jsonLine, as: UTF8.self) }
        // If the exit status does not identify the error code, the code is part of the text.
        let isShownByStatus = status == error.code.status
        var lines = ["vt: \(error.message.sanitized)" + (isShownByStatus ? "" : " (\(error.code.rawValue))")]
        if global.verbosity > 0 { lines += error.causes.map { "caused by: \($0.sanitized)" } }
        if let hint = error.hint { lines.append("hint: \(hint.sanitized)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var document: FailureDocument { FailureDocument(error, exit: status) }
}

extension ErrorReport: JSONDocument {
    static let documentName = "failure"
    static let documentSummary = "the failure of a command, on standard error"

    static let fields: JSONTable<Self> = [
        .field("error", \.document, "reason for the failure")
    ]
}
