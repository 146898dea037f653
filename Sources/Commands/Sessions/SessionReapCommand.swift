import Arguments
import Core
import Services

/// Freezes, pauses or kills idle sessions: `vt sessions reap`.
package enum SessionReapCommand: Command {
    private static let allProfiles = TargetOptions.allProfiles("reap")
    private static let idle = Option(
        "idle",
        .duration,
        summary: "select sessions without activity for this time",
        details:
            "Activity is output, input, a change of the size, and a command that is running in the shell of the session."
    )
    private static let maxActive = Option(
        "max-active",
        .number(in: 0...1_000_000),
        summary: "if more than N sessions are running, select those with the oldest activity",
        details: "Sessions that --idle selects are not counted. The number applies to each machine."
    )
    private static let action = Option(
        "action",
        .choice("ACTION", IdleSessions.Action.allCases),
        summary: "what to do with the selected sessions",
        details:
            "With 'pause', only shells at their prompts are selected that can be paused; with 'kill', also sessions that "
            + "are frozen or paused."
    )
    private static let tag = Option(
        "tag",
        .text("TAG"),
        summary: "consider only sessions with this tag; if repeated, with all of the tags"
    ).repeatable()
    private static let dryRun = Option.flag("dry-run", summary: "print the IDs without changing anything")
    private static let profiles = Operand("PROFILE", completion: .target).list(.zeroOrMore)

    package static let spec = CommandSpec(
        ["sessions", "reap"],
        summary: "freeze, pause or kill idle sessions",
        description: [
            "Freezes, pauses or kills the sessions of this machine, or of the given servers, that have been idle for "
                + "some time or, with --max-active, the least recently active sessions beyond N, and prints their "
                + "IDs. Run it regularly, for example by cron(8).",
            TargetOptions.explanation,
            "# Failures",
            "A session that has become busy in the meantime, and can therefore not be paused, is reported, and the "
                + "command fails, but the other sessions are still changed. A VibeTunnel server reports the last "
                + "output of a session, but not its other activity. If a server does not report this, its sessions "
                + "are not selected, and the command fails.",
        ],
        operands: [profiles],
        options: [idle, maxActive, action, allProfiles, tag, dryRun] + TargetOptions.options
            + ConnectionOptions.options,
        commonOptions: [idle, maxActive, action, tag, dryRun],
        examples: [
            ExampleSpec(
                "vt sessions reap --idle 30m --action pause",
                "pause shells that have been idle for half an hour"
            ),
            ExampleSpec(
                "vt sessions reap web --max-active 10 --action freeze --dry-run",
                "show which sessions on a server would be frozen"
            ),
        ],
        exitCodes: VTError.Code.ofHolders
    )

    package static var documents: [DocumentSpec] {
        [.document([SessionDocument].self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try selection(call)
        _ = try targets(call)
    }

    private static func selection(_ call: Call) throws(VTError) -> IdleSessions {
        guard let action = call[Self.action] else {
            throw VTError(.usage, "missing --action", hint: "add --action freeze, pause or kill")
        }
        var selection = IdleSessions(action)
        selection.idle = call[idle]
        selection.maximumActive = call[maxActive]
        selection.tags = call[tag]
        guard selection.idle != nil || selection.maximumActive != nil else {
            throw VTError(.usage, "no sessions selected", hint: "add --idle DURATION or --max-active N")
        }
        return selection
    }

    private static func targets(_ call: Call) throws(VTError) -> TargetOptions {
        try TargetOptions.ofMachines(call, words: call[profiles], all: call[allProfiles])
    }

    /// A session with the result of the action.
    private struct Reaped: Sendable {
        let document: SessionDocument
        /// The processes that are still running although they should not, each as `PID NAME`.
        let result: Result<[String], VTError>
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let selection = try selection(call)
        let isDryRun = call[dryRun]
        let machines = try await targets(call).machines(in: context)
        let outcomes = await machines.outcomes(limit: SessionListing.parallel) { profile throws(VTError) in
            try await SessionOperand.withClient(of: profile, in: context) { client throws(VTError) in
                let sessions = try await client.call(ListRequest())
                let selected = selection.selected(from: sessions, now: .now())
                let refused = selection.unknown(among: sessions).map { session in
                    let document = SessionDocument(session, profile: profile)
                    return Reaped(document: document, result: .failure(unknownActivity(of: document)))
                }
                guard !isDryRun else {
                    return refused
                        + selected.map {
                            Reaped(document: SessionDocument($0, profile: profile), result: .success([]))
                        }
                }
                return await refused
                    + zip(
                        selected,
                        selected.outcomes(limit: Suspension.parallel) { session throws(VTError) in
                            try await selection.action.perform(on: session, with: client)
                        }
                    ).map { session, outcome in
                        let changed = (try? outcome.get())?.session ?? session
                        return Reaped(
                            document: SessionDocument(changed, profile: profile),
                            result: outcome.map(\.survivors)
                        )
                    }
            }
        }
        return try report(outcomes, of: machines, after: selection.action, in: context)
    }

    private static func unknownActivity(of document: SessionDocument) -> VTError {
        let name = name(of: document)
        return VTError(
            .usage,
            "cannot tell how long '\(name)' has been idle: the server does not report its last activity",
            hint: "to end it, use 'vt sessions kill \(name)'"
        )
    }

    private static func report(
        _ outcomes: [Result<[Reaped], VTError>],
        of machines: [String?],
        after action: IdleSessions.Action,
        in context: Context
    ) throws(VTError) -> ProcessExit {
        let reaped = outcomes.flatMap { (try? $0.get()) ?? [] }
        let documents = reaped.filter { (try? $0.result.get()) != nil }.map(\.document)
        if !documents.isEmpty || context.global.json {
            try context.show(documents) { documents.map(\.session.id.text).joined(separator: "\n") }
        }
        var hasSurvivors = false
        for one in reaped {
            guard case .success(let survivors) = one.result, !survivors.isEmpty else { continue }
            hasSurvivors = true
            let suspension = action.suspension ?? .pause
            suspension.report(survivors, of: name(of: one.document), in: context)
        }
        try context.check(outcomes, named: machines.map { $0 ?? ProfileName.local })
        try context.check(reaped.map(\.result), named: reaped.map { name(of: $0.document) })
        return hasSurvivors ? .failure(.negative) : 0
    }

    private static func name(of document: SessionDocument) -> String {
        SessionReference(profile: document.profile, session: document.session.name).text
    }
}

extension IdleSessions.Action {
    /// Nil for `kill`.
    fileprivate var suspension: Suspension? {
        switch self {
        case .freeze: .freeze
        case .pause: .pause
        case .kill: nil
        }
    }

    /// The grace period of `vt sessions kill`.
    private static let grace = Duration.seconds(3)

    /// Returns the session in its new state, and the processes that are still running.
    fileprivate func perform(
        on session: Session,
        with client: SessionClient
    ) async throws(VTError) -> (session: Session, survivors: [String]) {
        let id = session.id.text
        if let suspension { return try await client.call(suspension, on: id) }
        return (session, try await client.call(KillRequest(grace: Self.grace), on: id))
    }
}
