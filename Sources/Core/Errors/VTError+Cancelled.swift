extension VTError {
    /// Thrown by a wait whose task is canceled.
    ///
    /// The code that cancels replaces this error with the actual reason; the user never sees it.
    package static let cancelled = VTError(.internal, "cancelled")
}
