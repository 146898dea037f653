import Arguments
import Core
import Services

/// Removes sessions that have ended: `vt sessions cleanup`.
package enum SessionCleanupCommand: Command {
    private static let all = Option.flag("all", summary: "remove all ended sessions")
    private static let allProfiles = TargetOptions.allProfiles("remove")
    private static let olderThan = Option(
        "older-than",
        .duration,
        summary: "remove only sessions that ended at least this long ago"
    )
    private static let state = Option(
        "state",
        .choice("STATE", SessionState.allCases.filter { !$0.isLive }),
        summary: "remove only sessions in this state"
    )
    private static let tag = Option(
        "tag",
        .text("TAG"),
        summary: "remove only sessions with this tag; if repeated, with all of the tags"
    ).repeatable()
    private static let dryRun = Option.flag("dry-run", summary: "print the IDs without removing anything")
    private static let words = Operand("SESSION|PROFILE", completion: .session).list(.zeroOrMore)

    package static let spec = CommandSpec(
        ["sessions", "cleanup"],
        summary: "remove ended sessions",
        description: [
            "Removes ended sessions and their logs, and prints their IDs. Name the sessions, or select them with a "
                + "filter (--all, --older-than, --state, --tag), on this machine or on the given servers.",
            SessionOperand.explanation,
            TargetOptions.explanation,
            "# Safety",
            "Live sessions are never removed, nor are lost sessions with running processes; use 'vt sessions kill' to "
                + "end those. The command can be run at any time, even concurrently. If a server cannot be reached, "
                + "the other servers are still cleaned up, but the command fails.",
        ],
        operands: [words],
        options: [all, allProfiles, olderThan, state, tag, dryRun] + TargetOptions.options
            + ConnectionOptions.options,
        commonOptions: [all, olderThan, state, tag, dryRun],
        examples: [
            ExampleSpec("vt sessions cleanup --older-than 7d", "remove sessions that ended at least a week ago"),
            ExampleSpec("vt sessions cleanup build", "remove one session"),
            ExampleSpec(
                "vt sessions cleanup web db --state exited --dry-run",
                "show which sessions on two servers would be removed"
            ),
        ],
        exitCodes: VTError.Code.ofConnections + [.busy]
    )

    package static var documents: [DocumentSpec] {
        [.document([SessionDocument].self)]
    }

    /// A machine, with the names of sessions on it.
    ///
    /// If `profile` is nil, the machine is this one; if `names` is empty, the filter selects the sessions.
    private typealias Machine = (profile: String?, names: [String])

    package static func check(_ call: Call) throws(VTError) {
        let words = call[Self.words]
        let isFiltered = isFiltered(call)
        let hasTargets = call[allProfiles] || TargetOptions.options.contains(where: call.contains)
        guard isFiltered || (!words.isEmpty && !hasTargets) else {
            throw VTError(.usage, "no sessions specified", hint: "name sessions, or add a filter, such as --all")
        }
        guard isFiltered else {
            _ = try sessions(words)
            return
        }
        for word in words {
            guard !word.contains(":") || word.contains("@") || word.contains("://") else {
                throw VTError(
                    .usage,
                    "'\(word)' is not a profile, and a filter cannot be combined with session names",
                    hint: "omit the filter: vt sessions cleanup \(word)"
                )
            }
        }
        _ = try targets(call)
    }

    private static func filter(_ call: Call) -> SessionFilter {
        SessionFilter(state: call[state], tags: call[tag], endedFor: call[olderThan])
    }

    /// Whether the words are machines, on which all ended sessions that match the filter are removed.
    private static func isFiltered(_ call: Call) -> Bool {
        call[all] || filter(call) != SessionFilter()
    }

    private static func targets(_ call: Call) throws(VTError) -> TargetOptions {
        try TargetOptions.ofMachines(call, words: call[words], all: call[allProfiles])
    }

    private static func sessions(_ words: [String]) throws(VTError) -> [Machine] {
        var machines: [Machine] = []
        for word in words {
            let reference = try SessionReference(parsing: word)
            if let index = machines.firstIndex(where: { $0.profile == reference.profile }) {
                guard !machines[index].names.contains(reference.session) else { continue }
                machines[index].names.append(reference.session)
            } else {
                machines.append((reference.profile, [reference.session]))
            }
        }
        return machines
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let filter = filter(call)
        let isDryRun = call[dryRun]
        let machines: [Machine] =
            if isFiltered(call) {
                try await targets(call).machines(in: context).map { ($0, []) }
            } else {
                try sessions(call[words])
            }
        let outcomes = await machines.outcomes(limit: SessionListing.parallel) { profile, names throws(VTError) in
            for name in names {
                try SessionOperand.check(SessionReference(profile: profile, session: name), in: context)
            }
            let removed = try await SessionOperand.withClient(of: profile, in: context) { client throws(VTError) in
                try await client.call(CleanupRequest(names, filter, isDryRun: isDryRun))
            }
            return removed.map { SessionDocument($0, profile: profile) }
        }
        let documents = outcomes.flatMap { (try? $0.get()) ?? [] }
        // If nothing was removed, only the error is reported.
        if !documents.isEmpty || outcomes.allSatisfy({ (try? $0.get()) != nil }) {
            try context.show(documents) { documents.map(\.session.id.text).joined(separator: "\n") }
        }
        try context.check(outcomes, named: machines.map { $0.profile ?? ProfileName.local })
        return 0
    }
}
