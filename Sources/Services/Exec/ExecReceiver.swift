import Core

/// Receives the results of the jobs in a run.
package protocol ExecReceiver: Sendable {
    /// Returns the sinks for a program's standard output and standard error; called once per job, before it starts.
    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink)

    /// Receives a job's outcome, after all of its output.
    ///
    /// - Throws: Errors of a sink, which end the run.
    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError)
}
