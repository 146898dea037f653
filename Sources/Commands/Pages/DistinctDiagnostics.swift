import Core
import Synchronization

/// Passes on each message once, for a command that repeats the same work while it runs.
final class DistinctDiagnostics: Diagnostics {
    private static let limit = 1000

    private let diagnostics: any Diagnostics
    private let messages = Mutex<Set<String>>([])

    init(_ diagnostics: any Diagnostics) {
        self.diagnostics = diagnostics
    }

    func note(_ message: String) {
        if isNew(message) { diagnostics.note(message) }
    }

    func failure(_ message: String) {
        if isNew(message) { diagnostics.failure(message) }
    }

    func failure(_ message: String, hint: String?) {
        if isNew(message) { diagnostics.failure(message, hint: hint) }
    }

    func detail(_ message: @autoclosure () -> String) {
        diagnostics.detail(message())
    }

    private func isNew(_ message: String) -> Bool {
        messages.withLock { messages in
            if messages.count >= Self.limit { messages = [] }
            return messages.insert(message).inserted
        }
    }
}
