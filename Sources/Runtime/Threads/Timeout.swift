import Core

/// Runs work that is canceled when it does not finish in time.
///
/// Throws `error` on timeout, otherwise errors thrown by `body`.
package func withTimeout<Result: Sendable>(
    _ timeout: Duration,
    on clock: any Clock<Duration>,
    throwing error: VTError,
    upTo limit: Duration = .zero,
    while isBusy: @escaping @Sendable () -> Bool = { false },
    _ body: @escaping @Sendable () async throws(VTError) -> Result
) async throws(VTError) -> Result {
    guard let result = try await resultInTime(timeout, on: clock, upTo: limit, while: isBusy, body) else { throw error }
    return result
}

/// Runs work that is canceled when it does not finish in time; returns nil on timeout.
///
/// If the work succeeds while it is being canceled, its result is returned.
///
/// On timeout, the work may continue for up to `limit` in total as long as `isBusy` returns true, which is checked after
/// each further `timeout`.
package func resultInTime<Result: Sendable>(
    _ timeout: Duration,
    on clock: any Clock<Duration>,
    upTo limit: Duration = .zero,
    while isBusy: @escaping @Sendable () -> Bool = { false },
    _ body: @escaping @Sendable () async throws(VTError) -> Result
) async throws(VTError) -> Result? {
    let outcome = await withTaskGroup(of: Outcome<Result>.self) { group in
        group.addTask {
            .ended(await Swift.Result { () async throws(VTError) in try await body() })
        }
        group.addTask {
            do {
                var waited = Duration.zero
                repeat {
                    try await clock.sleep(for: timeout)
                    waited += timeout
                } while waited < limit && isBusy()
                return .timeRanOut
            } catch {
                return .timerCancelled
            }
        }
        var hasTimeRunOut = false
        for await outcome in group {
            switch outcome {
            case .ended(.failure) where hasTimeRunOut: return Outcome<Result>.timeRanOut
            case .ended:
                group.cancelAll()
                return outcome
            case .timeRanOut:
                hasTimeRunOut = true
                group.cancelAll()
            case .timerCancelled: continue
            }
        }
        return .timeRanOut
    }
    guard case .ended(let result) = outcome else { return nil }
    return try result.get()
}

private enum Outcome<Result: Sendable>: Sendable {
    case ended(Swift.Result<Result, VTError>)
    case timeRanOut
    /// The surrounding task was canceled, and the work with it.
    case timerCancelled
}
