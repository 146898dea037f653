/// Continues a command in another process, in the background.
package protocol BackgroundRunner: Sendable {
    /// Starts vt with other arguments, in a new session and without standard input; returns once it is ready.
    ///
    /// Returns the exit status of the process if it has exited before it was ready, otherwise nil. If the task is
    /// canceled, the process is terminated.
    ///
    /// - Throws: `system` when the process cannot be started.
    func start(_ arguments: [ByteString]) async throws(VTError) -> ExitStatus?

    /// Called in a process that `start` has started: lets `start` return.
    ///
    /// Unless the process keeps them for a program, standard output and standard error are discarded from now on, so
    /// that they do not keep a pipe open.
    ///
    /// - Throws: `config` when the process was started in another way.
    func reportReady(keepsOutput: Bool) throws(VTError)
}
