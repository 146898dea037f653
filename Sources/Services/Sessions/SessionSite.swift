import Core
import Recording

/// The sessions of one machine, this one or a server, as commands act on them.
///
/// Every `name` is a session's exact name or id; one that is not there is `not-found`.
package protocol SessionSite: Sendable {
    /// Makes a session; returns it, and whether it is new: with `ok` it may be one that was there.
    ///
    /// - Throws: `exists`; `negative` when it must survive and might not; what makes the program not start.
    func create(_ order: SessionCreation) async throws(VTError) -> (session: Session, isNew: Bool)

    /// The oldest first.
    func sessions(_ filter: SessionFilter) async throws(VTError) -> [Session]

    func session(_ name: String) async throws(VTError) -> Session

    /// Gives the output to the receiver; returns the session as it is after that.
    ///
    /// With `follows` that is when it has ended; else the output is what there is now.
    func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session

    /// Writes the recording of a session, as far as possible in whole lines; nothing is left to write after.
    ///
    /// - Throws: `usage` when it did not log what is asked for; what the sink throws.
    func record(_ name: String, _ request: RecordRequest, to sink: any ByteSink) async throws(VTError)

    /// Puts input into the session's terminal; returns where the output stood before, once all of it is there.
    ///
    /// - Throws: `negative` when the session has ended; `timed-out`, when a part of the input may be there; what the
    ///   holder refuses.
    func send(_ input: SessionInput, to name: String, timeout: Duration?) async throws(VTError) -> UInt64

    /// - Throws: `negative` when the session ends without what is waited for, or is lost; `timed-out`.
    func wait(
        for condition: WaitCondition,
        of name: String,
        from offset: UInt64?,
        timeout: Duration?
    ) async throws(VTError) -> WaitOutcome

    /// Returns what the session's terminal shows, or with an offset what it showed there.
    ///
    /// - Throws: `data.invalid` for an offset behind the end of the output, or of which the output is not kept.
    func screen(of name: String, _ order: ScreenOrder) async throws(VTError) -> SessionScreen

    func resize(_ name: String, to size: TerminalSize) async throws(VTError)

    func rename(_ name: String, to newName: SessionName) async throws(VTError)

    /// Ends a session, or with a signal only sends that one; returns what is left of its processes, as `PID NAME`.
    ///
    /// One that has ended already is none of its failures, and told.
    ///
    /// - Throws: `negative` when there is nobody to send the signal to.
    func kill(_ name: String, signal: SignalName?, grace: Duration) async throws(VTError) -> [String]

    /// Removes sessions that have ended, with their logs: those named, or without names those that the filter includes.
    ///
    /// Returns what was removed, or with `isDryRun` would be.
    ///
    /// - Throws: `busy` for one that was named and has not ended, or was lost and still runs.
    func cleanUp(_ names: [String], _ filter: SessionFilter, isDryRun: Bool) async throws(VTError) -> [Session]

    /// Ends what calls share; nothing can be asked after.
    func close() async
}
