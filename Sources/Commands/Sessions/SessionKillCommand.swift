import Arguments
import Core
import Services

/// Kills sessions: `vt sessions kill SESSION...`.
package enum SessionKillCommand: Command {
    private static let signal: Option<SignalName?> = Option(
        "signal",
        ValueKind("NAME", parse: signalName),
        excludes: [rm],
        summary: "only send this signal, such as INT or USR1"
    )
    private static let grace = Option("grace", .duration, default: "3s", summary: "wait this long before sending KILL")
    private static let rm = Option.flag(
        "rm",
        excludes: [signal],
        summary: "also remove the sessions, whether or not they have already ended"
    ).formerly("remove")

    package static let spec = CommandSpec(
        ["sessions", "kill"],
        summary: "end sessions and all processes they started",
        description: [
            "Sends HUP and TERM to the program of a session, its process group and all other processes started in the "
                + "session, and KILL to those that remain after the grace period. Processes that still do not end are "
                + "listed, and the exit status is 1.",
            SessionOperand.explanation,
            "# Ended sessions",
            "If a session has already ended, this is reported, but is not an error, and processes that it left are "
                + "not terminated; those of a lost session are. A holder that does not answer within 2 s is killed, "
                + "too; the session is then lost, because the exit status of its program is no longer known.",
            "# Signals",
            "With --signal, only that signal is sent, to the same processes, and the session continues if they "
                + "survive it. In this case, it is an error if the session has already ended.",
            "# Removal",
            "With --rm, the sessions are removed, too, with their logs, as by 'vt sessions cleanup', and their IDs "
                + "are printed. A session with processes that did not end is kept.",
        ],
        operands: [SessionOperand.sessions],
        options: [signal, grace, rm] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt sessions kill build", "end a session"),
            ExampleSpec("vt sessions kill web:tail --signal INT", "interrupt a program on a server"),
            ExampleSpec("vt sessions kill ci-1 ci-2 --rm", "end and remove two sessions"),
        ],
        exitCodes: VTError.Code.ofConnections + [.negative, .ended, .busy]
    )

    package static var documents: [DocumentSpec] {
        [.document([Document].self), .document([SessionDocument].self, when: "with `--rm`")]
    }

    private static func signalName(_ text: String) throws(VTError) -> SignalName {
        let name = SignalName(text.uppercased())
        guard name.number != nil else {
            throw VTError(.usage, "invalid signal '\(text)'", hint: "use a name such as HUP, INT, TERM, KILL or USR1")
        }
        return name
    }

    /// The maximum number of sessions to kill at once; more would slow all of them down.
    private static let parallel = 32

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let references = SessionOperand.references(call)
        let signal = call[Self.signal]
        let grace = call[Self.grace] ?? .seconds(3)
        guard !call[rm] else { return try await killAndRemove(references, grace: grace, in: context) }
        let outcomes = await SessionOperand.forEach(references, in: context, parallel: parallel) {
            client,
            reference throws(VTError) in
            try await client.call(KillRequest(signal, grace: grace), on: reference.session)
        }
        var documents: [Document] = []
        for (reference, outcome) in zip(references, outcomes) {
            guard case .success(let survivors) = outcome else { continue }
            report(survivors, of: reference, in: context)
            documents.append(Document(session: reference.text, survivors: survivors))
        }
        if context.global.json { try context.output.json(documents) }
        try context.check(outcomes, named: references.map(\.text))
        return documents.allSatisfy(\.survivors.isEmpty) ? 0 : .failure(.negative)
    }

    private static func killAndRemove(
        _ references: [SessionReference],
        grace: Duration,
        in context: Context
    ) async throws(VTError) -> ProcessExit {
        let outcomes = await SessionOperand.forEach(references, in: context, parallel: parallel) {
            client,
            reference throws(VTError) in
            try await client.killAndRemove(reference.session, grace: grace)
        }
        var documents: [SessionDocument] = []
        var hasSurvivors = false
        for (reference, outcome) in zip(references, outcomes) {
            guard case .success(let (session, survivors)) = outcome else { continue }
            report(survivors, of: reference, in: context)
            if survivors.isEmpty {
                documents.append(SessionDocument(session, profile: reference.profile))
            } else {
                hasSurvivors = true
            }
        }
        if !documents.isEmpty || context.global.json {
            try context.show(documents) { documents.map(\.session.id.text).joined(separator: "\n") }
        }
        try context.check(outcomes, named: references.map(\.text))
        return hasSurvivors ? .failure(.negative) : 0
    }

    private static func report(_ survivors: [String], of reference: SessionReference, in context: Context) {
        for survivor in survivors {
            context.diagnostics.failure("'\(reference.text)': process \(survivor) did not end")
        }
    }

    struct Document {
        let session: String
        /// The processes that did not end, each as `PID NAME`.
        let survivors: [String]
    }
}

extension SessionKillCommand.Document: JSONDocument {
    static let documentName = "killed session"
    static let documentSummary = "a session that was killed or signaled"

    static let fields: JSONTable<Self> = [
        .field("session", \.session, "session as specified"),
        .field("survivors", \.survivors, "processes that did not end, each as its PID, a space and its name"),
    ]
}
