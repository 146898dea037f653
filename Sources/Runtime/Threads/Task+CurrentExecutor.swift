extension Task where Failure == Never {
    /// Starts a task that is not canceled with the current one, but prefers the same executor.
    ///
    /// Without a preference, it would run on a thread of libdispatch, which traps if it cannot open descriptors.
    @discardableResult
    package static func onCurrentExecutor(_ operation: @escaping @Sendable () async -> Success) -> Task<Success, Never>
    {
        let executor = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor?.asTaskExecutor() }
        return Task(executorPreference: executor, operation: operation)
    }
}
