/// The limits for running several jobs.
package struct ExecLimits: Hashable, Sendable {
    /// The maximum number of concurrent jobs; at least 1.
    package var parallel: Int
    /// The timeout of each job, from the start of the connection attempt to the end of the program; nil means none.
    package var timeout: Duration?
    /// Whether the first failed job ends the run.
    package var failFast: Bool

    /// A single server gains nothing from more than 16 concurrent jobs, but 64 keep many slow servers busy.
    package static let standard = ExecLimits(parallel: 64, timeout: nil, failFast: false)

    package init(parallel: Int, timeout: Duration?, failFast: Bool) {
        self.parallel = parallel
        self.timeout = timeout
        self.failFast = failFast
    }
}
