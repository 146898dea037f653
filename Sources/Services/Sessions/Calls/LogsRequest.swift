import Core

/// Passes on the output of a session; returns the session with its state at the end, or
/// nil if the receiver has stopped the call.
///
/// With `follows`, continues until the session has ended; without it, passes on only the existing output.
package struct LogsRequest: SessionVerb {
    package let callName = "logs"
    package var start = LogStart.offset(0)
    package var follows = false

    package init(from start: LogStart = .offset(0), follows: Bool = false) {
        (self.start, self.follows) = (start, follows)
    }

    package static let arguments: JSONTable<Self> = [
        .member(
            "from",
            get: { if case .offset(let offset) = $0.start { offset } else { nil } },
            set: { $1.start = .offset($0) }
        ),
        .member(
            "tail",
            get: { if case .lastLines(let count) = $0.start { count } else { nil } },
            set: { $1.start = .lastLines($0) }
        ),
        .member(
            "since",
            get: { if case .time(let time) = $0.start { time } else { nil } },
            set: { $1.start = .time($0) }
        ),
        .member(
            "last_ms",
            get: { if case .last(let age) = $0.start { age } else { nil } },
            set: { $1.start = .last($0) }
        ),
        .member("follow", \.follows, usual: false),
    ]

    package var isShort: Bool { !follows }
    package var workLimit: Duration? { follows ? nil : .zero }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        try await answer.send([try await sessions.logs(of: session, from: start, follows: follows, receiver: answer)])
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> Session? { result.sessions.first }
}
