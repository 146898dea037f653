/// Understands the failures that another vt tells with `--json`.
package protocol FailureReader: Sendable {
    /// The failure in a line of standard error; nil where the line tells none.
    ///
    /// Its text is the peer's and not cleaned.
    func failure(in line: [UInt8]) -> ToldFailure?
}

/// A failure as another vt told it.
package struct ToldFailure: Hashable, Sendable {
    package var error: VTError
    /// The exit status that it went with.
    package var exit: UInt8

    package init(error: VTError, exit: UInt8) {
        self.error = error
        self.exit = exit
    }
}
