/// Parses failures that another vt reports with `--json`.
package protocol FailureReader: Sendable {
    /// The failure reported in a line of standard error; nil for any other line.
    ///
    /// The failure's text comes from the peer and is not sanitized.
    func failure(in line: [UInt8]) -> ReportedFailure?
}

/// A failure reported by another vt.
package struct ReportedFailure: Hashable, Sendable {
    package var error: VTError
    /// The exit status reported with the error.
    package var exit: UInt8

    package init(error: VTError, exit: UInt8) {
        self.error = error
        self.exit = exit
    }
}
