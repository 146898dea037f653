import Core

/// Requests with an ID, by which the holder performs them only once.
extension SessionConnection {
    /// Writes bytes, all in one frame, to the terminal, unless the holder has already received the request with this ID.
    func input(_ bytes: [UInt8], as request: String) async throws(VTError) -> SentInput {
        try await identify(Array(request.utf8.prefix(SessionFrame.tokenBytes)))
        return try await input(bytes, sequence: 1, isChecked: true)
    }

    /// Gives the next input or line an ID.
    func identify(_ id: [UInt8]) async throws(VTError) {
        guard features & SessionFrame.Feature.identifiesRequests != 0 else {
            throw VTError(
                .protocolViolation,
                "'\(name)' was created by vt \(version), which cannot receive input from a queue",
                hint: "create the session again"
            )
        }
        try await send(.identify(id))
    }
}
