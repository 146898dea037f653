extension VTError {
    /// What a wait throws when its task is cancelled.
    ///
    /// Whoever cancels knows the reason and replaces this error by it; the user never sees it.
    package static let cancelled = VTError(.internal, "cancelled")
}
