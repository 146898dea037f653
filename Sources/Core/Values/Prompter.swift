import Synchronization

/// Puts questions to the user of a command.
package final class Prompter: Sendable {
    /// Returns the answer; nil if there is none.
    package typealias Ask = @Sendable (Prompt) async throws(VTError) -> Secret?

    private struct State {
        var pending = 0
        var answered = 0
    }

    /// How many times a password or passphrase is asked for (ssh_config(5), NumberOfPasswordPrompts).
    package let limit: Int
    private let ask: Ask
    private let state = Mutex(State())

    package init(limit: Int, ask: @escaping Ask) {
        self.limit = limit
        self.ask = ask
    }

    /// Returns the user's answer; nil if there is none.
    package func answer(_ prompt: Prompt) async throws(VTError) -> Secret? {
        state.withLock { $0.pending += 1 }
        defer {
            state.withLock {
                $0.pending -= 1
                $0.answered += 1
            }
        }
        return try await ask(prompt)
    }

    /// Returns a function that returns whether a question has been open since the last call.
    package func makeActivityCheck() -> @Sendable () -> Bool {
        let last = Mutex(0)
        return { [self] in
            let now = state.withLock { $0 }
            return last.withLock { last in
                defer { last = now.answered }
                return now.pending > 0 || now.answered != last
            }
        }
    }
}
