import Core

/// Returns the current screen of the session's terminal or, with an offset, the screen at that point.
///
/// Errors: `data.invalid` for an offset after the end of the output, or before the first byte that is still kept.
extension ScreenRequest: SessionVerb {
    package var callName: String { "screen" }

    package static let arguments: JSONTable<Self> = [
        .member("at", \.offset), .member("size", \.size), .member("scrollback", \.scrollback, usual: 0),
    ]

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await sessions.screen(of: session, self).send(to: answer)
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> SessionScreen {
        var screen = SessionScreen(
            session: try result.session(),
            offset: 0,
            size: .standard,
            state: [],
            scrollback: scrollback
        )
        var isComplete = false
        for frame in result {
            switch frame {
            case .resized(let size): screen.size = size
            case .screen(let offset, let bytes):
                screen.offset = offset
                screen.state += bytes
                isComplete = true
            default: continue
            }
        }
        guard isComplete else { throw [SessionFrame].incomplete }
        return screen
    }
}

extension SessionScreen {
    /// Sends the screen in as many frames as necessary.
    func send(to answer: CallAnswer) async throws(VTError) {
        try await answer.send([session])
        try await answer.resized(to: size)
        var rest = state[...]
        repeat {
            let part = rest.prefix(SessionFrame.screenLimitBytes)
            rest = rest.dropFirst(part.count)
            try await answer.send(.screen(offset: offset, bytes: Array(part)))
        } while !rest.isEmpty
    }
}
