import Core

/// The reason why a call into libssh2 returned no result.
enum CallFailure: Error {
    /// The library reported an error.
    case engine(EngineError)
    /// The connection has failed, or the task was canceled.
    case stopped(VTError)
}
