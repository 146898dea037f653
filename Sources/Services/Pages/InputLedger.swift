import Core
import Synchronization

/// The input of one page for one session, which arrives once and in order even if the page reconnects.
///
/// Sequence numbers start at 1 and increase by 1. Each input is answered once, in order.
final class InputLedger: Sendable {
    private struct State {
        /// The last input that was received.
        var received: UInt64 = 0
        /// The inputs without an answer that was sent, in order, with the answer once it is known.
        var pending: [(sequence: UInt64, answer: SessionFrame?)] = []
        /// The connection that receives the answers.
        var visit = 0
    }

    private let state = Mutex(State())

    /// Sends the answers to another connection from now on; returns the last input that was answered.
    func adopt(by visit: Int) -> UInt64 {
        state.withLock { state in
            // A connection that has been replaced may still have unread requests.
            state.visit = max(state.visit, visit)
            return state.pending.first.map { $0.sequence - 1 } ?? state.received
        }
    }

    /// Records an input; returns false if it has been received before.
    ///
    /// - Throws: `protocol` when an input is missing before this one.
    func receive(_ sequence: UInt64) throws(VTError) -> Bool {
        try state.withLock { state throws(VTError) in
            guard sequence > state.received else { return false }
            guard sequence == state.received + 1 else {
                throw VTError(.protocolViolation, "input \(state.received + 1) is missing")
            }
            state.received = sequence
            state.pending.append((sequence, nil))
            return true
        }
    }

    func answer(_ sequence: UInt64, with frame: SessionFrame) {
        state.withLock { state in
            guard let index = state.pending.firstIndex(where: { $0.sequence == sequence }) else { return }
            state.pending[index].answer = frame
        }
    }

    /// Removes and returns the answers to be sent to a connection.
    func takeAnswers(for visit: Int) -> [SessionFrame] {
        state.withLock { state in
            guard state.visit == visit else { return [] }
            let answers = state.pending.prefix { $0.answer != nil }.compactMap(\.answer)
            state.pending.removeFirst(answers.count)
            return answers
        }
    }
}
