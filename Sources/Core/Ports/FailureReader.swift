/// Parses failures that another vt reports with `--json`.
package protocol FailureReader: Sendable {
    /// The failure reported in a line of standard error; nil for any other line.
    ///
    /// The failure's text comes from the peer and is not sanitized.
    func failure(in line: [UInt8]) -> ReportedFailure?
}
