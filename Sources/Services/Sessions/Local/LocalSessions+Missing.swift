import Core

extension LocalSessions {
    /// The output that the log of a session lacks at its end, because the log could not be written or has been damaged.
    ///
    /// Nil if nothing is missing, and for a running session whose log is being written.
    func missingOutput(of session: Session, in log: any SessionLog) throws(VTError) -> Range<UInt64>? {
        guard session.logStoppedAt != nil || !session.state.isLive else { return nil }
        let end = try log.endOffset()
        return end < session.outputBytes ? end..<session.outputBytes : nil
    }

    /// Reports the output that the log lacks at its end, if any.
    func noteMissingOutput(of session: Session, in log: any SessionLog) throws(VTError) {
        guard let missing = try missingOutput(of: session, in: log) else { return }
        diagnostics.note(
            "output of '\(session.name)' from offset \(missing.lowerBound) to \(missing.upperBound) was not logged"
        )
    }
}
