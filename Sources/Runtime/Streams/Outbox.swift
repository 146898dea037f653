import Core

/// Bytes to send; each read returns all bytes added since the previous one.
///
/// The amount is not bounded here; callers limit it by waiting for replies.
package final class Outbox: ByteSource {
    private struct State {
        var bytes: [UInt8]
        var isEnded = false
    }

    private let state: Monitor<State>

    package init(_ bytes: [UInt8] = []) {
        state = Monitor(State(bytes: bytes))
    }

    package func append(_ bytes: [UInt8]) {
        state.update { state in
            if state.bytes.isEmpty { state.bytes = bytes } else { state.bytes += bytes }
        }
    }

    /// Ends the source after the bytes that have been added.
    package func end() {
        state.update { $0.isEnded = true }
    }

    package func read() async throws(VTError) -> [UInt8]? {
        try await state.wait { state -> Result<[UInt8]?, VTError>? in
            guard state.bytes.isEmpty else {
                defer { state.bytes = [] }
                return .success(state.bytes)
            }
            return state.isEnded ? .success(nil) : nil
        }.get()
    }
}
