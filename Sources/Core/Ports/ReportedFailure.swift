/// A failure reported by another vt.
package struct ReportedFailure: Hashable, Sendable {
    package var error: VTError
    /// The exit status that accompanied it.
    package var exit: UInt8

    package init(error: VTError, exit: UInt8) {
        self.error = error
        self.exit = exit
    }
}
