import Core
import Runtime

/// The messages and the progress of a command that a tool runs.
final class MCPMessages: Diagnostics {
    private struct State {
        var notes: [String] = []
        /// The number of notes before the first failure.
        var countBeforeFailure: Int?
        var progress: String?
    }

    private let state = Monitor(State())

    var notes: [String] { state.withLock(\.notes) }

    /// The notes that do not explain a failure.
    var notesBeforeFailure: [String] { state.withLock { Array($0.notes.prefix($0.countBeforeFailure ?? .max)) } }

    func failure(_ message: String) {
        state.withLock { $0.countBeforeFailure = $0.countBeforeFailure ?? $0.notes.count }
        note(message)
    }

    func note(_ message: String) { state.withLock { $0.notes.append(message.sanitized) } }

    func detail(_ message: @autoclosure () -> String) {}

    func progress(_ message: String, failures: String?) { state.update { $0.progress = message.sanitized } }

    /// Waits until there has been progress since the last call.
    func nextProgress() async throws(VTError) -> String {
        try await state.wait { state in
            defer { state.progress = nil }
            return state.progress
        }
    }
}
