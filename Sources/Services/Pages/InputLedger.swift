import Core
import Runtime

/// The input of one page for one session, which arrives once and in order even if the page reconnects.
///
/// Sequence numbers start at 1 and increase by 1. Each input is answered once, in order.
final class InputLedger: Sendable {
    private struct State {
        /// The last input that was received.
        var received: UInt64 = 0
        /// The answers that have not been sent, those to the last inputs that were received; nil while unknown.
        var pending: ArraySlice<SessionFrame?> = []
        /// The connection that receives the answers.
        var visit = 0

        /// The last input whose answer was sent.
        var answered: UInt64 { received - UInt64(pending.count) }
    }

    /// The number of inputs without an answer that was sent, beyond which no more are received.
    static let limit = 1024

    private let state = Monitor(State())

    /// Sends the answers to another connection from now on; returns the last input that was answered.
    func adopt(by visit: Int) -> UInt64 {
        state.withLock { state in
            // A connection that has been replaced may still have unread requests.
            state.visit = max(state.visit, visit)
            return state.answered
        }
    }

    /// Records an input, once there is room for it; returns false if it has been received before.
    ///
    /// - Throws: `protocol` when an input is missing before this one.
    func receive(_ sequence: UInt64) async throws(VTError) -> Bool {
        try await state.wait { state -> Result<Bool, VTError>? in
            guard sequence > state.received else { return .success(false) }
            guard sequence == state.received + 1 else {
                return .failure(VTError(.protocolViolation, "input \(state.received + 1) is missing"))
            }
            guard state.pending.count < Self.limit else { return nil }
            state.received = sequence
            state.pending.append(nil)
            return .success(true)
        }.get()
    }

    func answer(_ sequence: UInt64, with frame: SessionFrame) {
        state.withLock { state in
            guard sequence > state.answered, sequence <= state.received else { return }
            state.pending[state.pending.startIndex + Int(sequence - state.answered) - 1] = frame
        }
    }

    /// Removes and returns the answers to be sent to a connection.
    func takeAnswers(for visit: Int) -> [SessionFrame] {
        let answers = state.withLock { state -> [SessionFrame] in
            guard state.visit == visit else { return [] }
            let answers = state.pending.prefix { $0 != nil }.compactMap(\.self)
            state.pending.removeFirst(answers.count)
            return answers
        }
        // A request might be waiting for room.
        if !answers.isEmpty { state.update { _ in } }
        return answers
    }
}
