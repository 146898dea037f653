import Core

extension SessionClient {
    /// What is known about a request with this ID.
    package func state(ofRequest id: String, to name: String) async throws(VTError) -> RequestState {
        var state: RequestState?
        try fields(in: try await result(of: .session(name, .requestState(id)))) { $0.field("state", &state) }
        guard let state else { throw incomplete }
        return state
    }
}
