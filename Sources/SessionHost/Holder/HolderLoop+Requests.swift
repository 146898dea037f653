import Core
import System

/// Performs requests to which clients have given an ID once, even if they are repeated.
extension HolderLoop {
    /// Answers input that was received before, or assigns it to the client if it is still queued; returns false for new
    /// input.
    func adoptInput(_ sequence: UInt64, by client: HolderClient) -> Bool {
        guard let id = client.requestID else { return false }
        if input.adopt(sequence, of: id, by: client) {
            client.requestID = nil
            return true
        }
        switch requests.state(of: id) {
        case .unseen: return false
        case .done: client.answer(.accepted(sequence: sequence, offset: log.end))
        case .begun: client.answer(.failure(forgotten))
        }
        client.requestID = nil
        return true
    }

    /// Records that input is about to be written; if that fails, removes the input, and returns false.
    func beginRequest(of job: InputQueue.Job) -> Bool {
        guard job.isIdentified, let id = job.token else { return true }
        do throws(VTError) {
            try requests.begin(id)
            Fault.point(.requestBegun)
            return true
        } catch {
            input.removeFirst().client.answer(.failure(error))
            return false
        }
    }

    /// Whether the client has given the line an ID; checks that it is new.
    ///
    /// - Throws: `protocol` when the line was run, and its marks are no longer known.
    func isIdentified(_ execution: SessionFrame.Execution, by client: HolderClient) throws(VTError) -> Bool {
        guard client.requestID == execution.token else { return false }
        client.requestID = nil
        guard requests.state(of: execution.token) == .unseen else { throw forgotten }
        return true
    }

    /// The error for a request that may have had an effect, but whose outcome is not known.
    var forgotten: VTError {
        VTError(.protocolViolation, "the session no longer knows whether the line was run")
    }
}
