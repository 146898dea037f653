import Core

extension TaskGroup where ChildTaskResult == Result<ExitStatus?, VTError> {
    /// Returns the first status or failure, and cancels the other tasks; a task that returns no status has merely done
    /// its part.
    mutating func firstStatus() async -> Result<ExitStatus?, VTError> {
        while let result = await next() {
            if case .success(nil) = result { continue }
            cancelAll()
            return result
        }
        return .failure(.cancelled)
    }
}
