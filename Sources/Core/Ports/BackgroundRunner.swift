/// Continues a command in another process, in the background.
package protocol BackgroundRunner: Sendable {
    /// Starts vt with other arguments and without standard input; returns once the new process is ready.
    ///
    /// Until then, the new process can use the controlling terminal, and this process stops whenever it does. Returns
    /// the exit status if the process exits before it is ready, otherwise nil. If the task is canceled, the process is
    /// terminated.
    ///
    /// - Throws: `system` when the process cannot be started.
    func start(_ arguments: [ByteString]) async throws(VTError) -> ExitStatus?

    /// Moves this process to a new session, and lets `start` return; called in the process that it started.
    ///
    /// Unless `keepsOutput` is true, standard output and standard error are redirected to `/dev/null`, so that they do
    /// not keep a pipe open.
    ///
    /// - Throws: `config` when the process was not started by `start`.
    func reportReady(keepsOutput: Bool) throws(VTError)
}
