/// A machine that runs programs: this one, or one at the other end of a connection.
package protocol CommandHost: Sendable {
    /// Runs a program until it exits.
    ///
    /// On return, the sinks have accepted all of the program's output. If the task is canceled, the program's streams
    /// are closed and, where possible, the program is sent TERM.
    ///
    /// - Throws: `host.unreachable` when the connection was lost, `protocol` when the peer violated the protocol,
    ///   `system` when the program cannot be started; also the errors of the source and the sinks.
    func run(_ request: ExecRequest, streams: ProgramStreams) async throws(VTError) -> ExitStatus
}
