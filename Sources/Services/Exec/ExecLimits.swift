/// How a run of several jobs is bounded.
package struct ExecLimits: Hashable, Sendable {
    /// How many jobs run at a time, at least 1.
    package var parallel: Int
    /// For each job, from the first step of connecting to the end of the program; nil: none.
    package var timeout: Duration?
    /// Whether the first job that fails ends the run.
    package var failFast: Bool

    /// Beyond 16 a server gains nothing, and 64 keeps many slow ones busy.
    package static let standard = ExecLimits(parallel: 64, timeout: nil, failFast: false)

    package init(parallel: Int, timeout: Duration?, failFast: Bool) {
        self.parallel = parallel
        self.timeout = timeout
        self.failFast = failFast
    }
}
