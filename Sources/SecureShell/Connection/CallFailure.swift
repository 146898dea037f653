import Core

/// Why a call into the library gave no result.
enum CallFailure: Error {
    /// The library said so.
    case engine(EngineError)
    /// The connection cannot go on, or the task was cancelled.
    case stopped(VTError)
}
