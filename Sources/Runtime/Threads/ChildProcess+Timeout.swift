import Core
import System

extension ChildProcess {
    /// Runs a program as `capture(_:input:errorOutput:limit:)` does, and kills it if it does not exit within `timeout`.
    ///
    /// - Throws: `timed-out`; errors thrown by `capture(_:input:errorOutput:limit:)`.
    package static func capture(
        _ plan: SpawnPlan,
        input: [UInt8] = [],
        errorOutput: CInt = 2,
        limit: Int = captureLimit,
        timeout: Duration,
        on clock: any Clock<Duration>
    ) async throws(VTError) -> Capture {
        let late = VTError(.timedOut, "the program did not exit within \(timeout.shortText)")
        return try await withTimeout(timeout, on: clock, throwing: late) { () async throws(VTError) in
            try await capture(plan, input: input, errorOutput: errorOutput, limit: limit)
        }
    }
}
