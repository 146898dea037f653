import Core
import FoundationEssentials

/// Parses the output of `ErrorReport` with `--json`.
package struct FailureDocumentReader: FailureReader {
    package init() {}

    package func failure(in line: [UInt8]) -> ReportedFailure? {
        guard line.first == UInt8(ascii: "{") else { return nil }
        // Other JSON is not an error report of vt.
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(line)) else { return nil }
        return ReportedFailure(error: document.error.error, exit: document.error.exit)
    }

    private struct Document: Decodable {
        let error: FailureDocument
    }
}
