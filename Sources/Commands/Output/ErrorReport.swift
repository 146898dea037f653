import Arguments
import Core

/// A failure as it stands on standard error.
struct ErrorReport {
    private let error: VTError
    private let status: UInt8
    private let global: GlobalOptions

    init(_ error: VTError, status: UInt8, global: GlobalOptions) {
        self.error = error
        self.status = status
        self.global = global
    }

    /// One line per part, cleaned of what a terminal would act on; with `--json` a document on one line.
    var text: String {
        if global.json, let line = try? JSONText.line(document) {
            // A document that cannot be coded is told as text all the same.
            return String(decoding: line, as: UTF8.self) + "\n"
        }
        // Where the exit status does not tell the class, the text does.
        let isToldByStatus = status == error.code.status
        var lines = ["vt: \(error.message.sanitized)" + (isToldByStatus ? "" : " (\(error.code.rawValue))")]
        if global.verbosity > 0 { lines += error.causes.map { "caused by: \($0.sanitized)" } }
        if let hint = error.hint { lines.append("hint: \(hint.sanitized)") }
        return lines.joined(separator: "\n") + "\n"
    }

    private var document: Document {
        Document(error: FailureDocument(error, exit: status))
    }

    private struct Document: Encodable {
        let error: FailureDocument
    }
}
