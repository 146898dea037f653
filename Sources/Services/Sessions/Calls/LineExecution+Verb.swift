import Core

/// Passes on the output of the line's command, after the offset at which it starts.
///
/// Errors: `busy` when the shell cannot take the line; `negative` when the session has ended.
extension LineExecution: SessionVerb {
    package var callName: String { "exec" }

    package static let arguments: JSONTable<Self> = [
        .member("input_bytes", get: \.input?.count, set: { _, _ in }),
        .member(
            "token",
            isRequired: true,
            get: \.token,
            set: { token, line throws(JSONValueError) in
                guard token.utf8.count >= SessionFrame.tokenBytes else { throw JSONValueError(line: 1) }
                line.token = token
            }
        ),
        .member("assume_shell", \.assumedShell),
        .member("identified", \.isIdentified, usual: false),
        .member("repeated", \.isRepeated, usual: false),
        .member("resume", \.resumeOffset),
        .member("wait_ms", \.patience),
        .member("timeout_ms", \.timeout),
        .member("interrupt", \.interrupts, usual: false),
        .member("force", \.isForced, usual: false),
    ]

    /// The line and its input.
    package var data: [UInt8] { line + (input ?? []) }

    package mutating func complete(_ data: [UInt8], _ json: JSONOutline, in document: [UInt8]) throws(JSONValueError) {
        let count: Int? = try json.optional("input_bytes", in: document)
        guard (0...data.count).contains(count ?? 0) else { throw JSONValueError(line: 1, path: "input_bytes") }
        line = Array(data.dropLast(count ?? 0))
        input = count.map { Array(data.suffix($0)) }
    }

    package var role: PageRole { .write }
    package var isStreamed: Bool { true }
    package var workLimit: Duration? { nil }

    package func perform(on session: String, of sessions: LocalSessions, _ answer: CallAnswer) async throws(VTError) {
        let outcome = try await sessions.execute(self, in: session, receiver: answer, onStart: answer.start)
        try await answer.send(outcome, LineOutcome.members)
    }

    package func outcome(in result: [SessionFrame]) throws(VTError) -> LineOutcome {
        var outcome = LineOutcome()
        try result.read(LineOutcome.members, into: &outcome)
        return outcome
    }
}

extension LineOutcome {
    fileprivate static let members: JSONTable<Self> = [
        .member("outcome", \.kind, usual: .unknown),
        .member("exit", get: \.exit?.code, set: { $1.exit = .exited($0) }),
        .member("signal", get: \.exit?.signal, set: { $1.exit = .signalled($0, coreDumped: false) }),
        .member("from", \.start, usual: 0),
        .member("to", \.end, usual: 0),
        .member("cwd", \.directory),
        .member("turn", \.turn, usual: 0),
        .member("duration_ms", \.elapsed, usual: .zero),
    ]
}
