extension VTError {
    /// Thrown by an asynchronous call whose task is canceled.
    ///
    /// The code that cancels the task replaces this error with the actual reason, so the user never sees it.
    package static let cancelled = VTError(.internal, "cancelled")
}
