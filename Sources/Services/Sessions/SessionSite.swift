import Core
import Recording

/// The sessions of one machine, local or remote, with the operations of commands.
///
/// Every `name` is a session's exact name or ID; `not-found` is thrown if it does not exist.
package protocol SessionSite: Sendable {
    /// Creates a session; returns it, and whether it is new: with `ok`, an existing one may be returned.
    ///
    /// - Throws: `exists`; `negative` when it must survive and might not; errors that prevent the program from
    ///   starting.
    func create(_ order: SessionCreation) async throws(VTError) -> (session: Session, isNew: Bool)

    /// Returns the sessions, oldest first.
    func sessions(_ filter: SessionFilter) async throws(VTError) -> [Session]

    func session(_ name: String) async throws(VTError) -> Session

    /// Passes the output to the receiver; returns the session in its state after that.
    ///
    /// With `follows`, that is when it has ended; otherwise only existing output is passed.
    func logs(
        of name: String,
        from start: LogStart,
        follows: Bool,
        receiver: any OutputReceiver
    ) async throws(VTError) -> Session

    /// Writes the recording of a session, in complete lines as far as possible; nothing needs to be written afterwards.
    ///
    /// - Throws: `usage` when the session did not log the requested data; errors of the sink.
    func record(_ name: String, _ request: RecordRequest, to sink: any ByteSink) async throws(VTError)

    /// Writes input to the session's terminal; returns the end of the output before that, once all of it is written.
    ///
    /// - Throws: `negative` when the session has ended; `timed-out`, in which case part of the input may have been
    ///   written; rejections by the holder.
    func send(_ input: SessionInput, to name: String, timeout: Duration?) async throws(VTError) -> UInt64

    /// - Throws: `negative` when the session ends before the condition is met, or is lost; `timed-out`.
    func wait(
        for condition: WaitCondition,
        of name: String,
        from offset: UInt64?,
        timeout: Duration?
    ) async throws(VTError) -> WaitOutcome

    /// Returns the current screen of the session's terminal or, with an offset, the screen at that point.
    ///
    /// - Throws: `data.invalid` for an offset after the end of the output, or whose output is no longer kept.
    func screen(of name: String, _ order: ScreenRequest) async throws(VTError) -> SessionScreen

    func resize(_ name: String, to size: TerminalSize) async throws(VTError)

    func rename(_ name: String, to newName: SessionName) async throws(VTError)

    /// Ends a session, or with a signal only sends that; returns the surviving processes, as `PID NAME`.
    ///
    /// A session that has already ended is not an error, but is reported.
    ///
    /// - Throws: `negative` when no process can receive the signal.
    func kill(_ name: String, signal: SignalName?, grace: Duration) async throws(VTError) -> [String]

    /// Removes sessions that have ended, with their logs: those named, or without names those selected by the filter.
    ///
    /// Returns the removed sessions, or those that `isDryRun` would remove.
    ///
    /// - Throws: `busy` for a named session that has not ended, or was lost and still has running processes.
    func cleanUp(_ names: [String], _ filter: SessionFilter, isDryRun: Bool) async throws(VTError) -> [Session]

    /// Closes shared resources; no calls are possible afterwards.
    func close() async
}
