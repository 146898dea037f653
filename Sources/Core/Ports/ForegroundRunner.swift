/// Runs programs on this machine with the standard streams of this process.
package protocol ForegroundRunner: Sendable {
    /// Runs a program until it exits.
    ///
    /// The program runs in a new session: it can read a terminal, but keys such as Control-C signal only this process.
    /// If the task is canceled, the program is sent TERM, and KILL if it does not exit.
    ///
    /// - Throws: `not-found` or `system` when the program cannot be started; `VTError.cancelled`.
    func run(_ request: ExecRequest) async throws(VTError) -> ExitStatus
}
