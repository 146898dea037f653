import Core

/// Takes what the jobs of a run give.
package protocol ExecReceiver: Sendable {
    /// Takes a program's standard output and standard error; called once for each job, before it begins.
    func sinks(for job: ExecJob) -> (output: any ByteSink, errorOutput: any ByteSink)

    /// Hears how a job ended, after all of its output.
    ///
    /// - Throws: What a sink throws; the run then ends.
    func ended(_ job: ExecJob, _ outcome: ExecOutcome) async throws(VTError)
}
