/// A machine that runs programs: this one, or one at the other end of a connection.
package protocol CommandHost: Sendable {
    /// Runs a program to its end.
    ///
    /// All of the program's output has been taken by the sinks when this returns. Cancelling the task ends the wait;
    /// the program's streams are then closed and, where possible, the program is sent TERM.
    ///
    /// - Throws: `host.unreachable` when the link was lost, `protocol` when the peer broke it, `system` when the
    ///   program cannot be started; what the sources and sinks throw.
    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus
}
