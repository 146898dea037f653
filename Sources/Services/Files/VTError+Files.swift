import Core

extension VTError {
    /// Whether the failure concerns the whole copy, not a single file.
    var concernsAllFiles: Bool {
        isCancellation || code == .hostUnreachable || code == .protocolViolation
    }

    /// The error itself.
    ///
    /// - Throws: The error, if it concerns the whole copy.
    var unlessFatal: VTError {
        get throws(VTError) {
            guard !concernsAllFiles else { throw self }
            return self
        }
    }
}
