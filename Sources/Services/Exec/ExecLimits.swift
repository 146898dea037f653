/// The limits for running several jobs.
package struct ExecLimits: Hashable, Sendable {
    /// The maximum number of concurrent jobs; at least 1.
    package var parallel: Int
    /// The timeout of each job, from the start of the connection attempt to the end of the program; nil means none.
    package var timeout: Duration?
    /// The number of failed jobs after which the run stops; nil means none.
    package var failures: TargetLimit?
    /// Whether the running programs are not ended when the run stops.
    package var finishesRunning: Bool
    package var batches: ExecBatches

    /// A single server gains nothing from more than 16 concurrent jobs, but 64 keep many slow servers busy.
    package static let standardParallel = 64

    package init(
        parallel: Int = standardParallel,
        timeout: Duration? = nil,
        failures: TargetLimit? = nil,
        finishesRunning: Bool = false,
        batches: ExecBatches = ExecBatches()
    ) {
        self.parallel = parallel
        self.timeout = timeout
        self.failures = failures
        self.finishesRunning = finishesRunning
        self.batches = batches
    }

    /// Whether the limits can end a running program.
    var endPrograms: Bool {
        timeout != nil || failures != nil && !finishesRunning
    }
}
