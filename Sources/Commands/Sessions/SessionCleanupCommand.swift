import Arguments
import Core
import Services

/// Removes sessions that have ended: `vt sessions cleanup`.
package struct SessionCleanupCommand: Command {
    package static let path = ["sessions", "cleanup"]

    package static let spec = CommandSpec(
        path,
        summary: "remove ended sessions",
        description: [
            "Removes ended sessions and their logs, and prints their IDs. Name the sessions, or select them with a "
                + "filter (--all, --older-than, --state, --tag); a filter applies to this machine, or to the servers "
                + "of the given profiles. 'local' is this machine.",
            "Specify a session by its exact name or ID, or as PROFILE:SESSION if it is on a server. Live sessions are "
                + "never removed, nor are lost sessions with running processes; use 'vt sessions kill' to end those. "
                + "This command is safe to run at any time, even concurrently. If a server cannot be reached, the "
                + "other servers are still cleaned up, and the command fails.",
        ],
        operands: [OperandSpec("SESSION|PROFILE", .zeroOrMore, completion: .session)],
        options: [
            OptionSpec("all", summary: "remove all ended sessions"),
            OptionSpec("all-profiles", summary: "remove sessions on this machine and on the servers of all profiles"),
            OptionSpec(
                "older-than",
                value: ValueSpec("DURATION"),
                summary: "remove only sessions that ended at least this long ago"
            ),
            OptionSpec(
                "state",
                value: ValueSpec("STATE", choices: SessionState.allCases.filter { !$0.isLive }.map(\.rawValue)),
                summary: "remove only sessions in this state"
            ),
            OptionSpec(
                "tag",
                value: ValueSpec("TAG"),
                isRepeatable: true,
                summary: "remove only sessions with this tag; if repeated, with all of the tags"
            ),
            OptionSpec("dry-run", summary: "print the IDs without removing anything"),
        ],
        examples: [
            ExampleSpec("vt sessions cleanup --older-than 7d", "remove sessions that ended at least a week ago"),
            ExampleSpec("vt sessions cleanup build", "remove one session"),
            ExampleSpec(
                "vt sessions cleanup web db --state exited --dry-run",
                "show which sessions on two servers would be removed"
            ),
        ],
        files: FileSpec.ofSessions,
        exitCodes: VTError.Code.ofConnections + [.busy]
    )

    package static var documents: [DocumentSpec] {
        [.document([SessionDocument].self)]
    }

    /// A machine, with the names of sessions on it.
    ///
    /// If `profile` is nil, the machine is this one; if `names` is empty, the filter selects the sessions.
    private typealias Machine = (profile: String?, names: [String])

    private let machines: [Machine]
    private let cleansAllProfiles: Bool
    private let filter: SessionFilter
    private let isDryRun: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        filter = SessionFilter(
            state: arguments.choice("state", of: SessionState.self),
            tags: arguments.values("tag"),
            endedFor: try arguments.duration("older-than")
        )
        isDryRun = arguments.flag("dry-run")
        cleansAllProfiles = arguments.flag("all-profiles")
        let words = arguments.operands("SESSION|PROFILE")
        let isFiltered = arguments.flag("all") || filter != SessionFilter()
        guard isFiltered || (!words.isEmpty && !cleansAllProfiles) else {
            throw VTError(.usage, "no sessions specified", hint: "name sessions, or add a filter, such as --all")
        }
        guard words.isEmpty || !cleansAllProfiles else {
            throw VTError(.usage, "'--all-profiles' cannot be used with names")
        }
        machines = isFiltered ? try Self.profiles(words) : try Self.sessions(words)
    }

    private static func profiles(_ words: [String]) throws(VTError) -> [Machine] {
        var machines: [Machine] = []
        for word in words {
            guard !word.contains(":") || word.contains("@") || word.contains("://") else {
                throw VTError(
                    .usage,
                    "'\(word)' is not a profile, and a filter cannot be combined with sessions",
                    hint: "omit the filter: vt sessions cleanup \(word)"
                )
            }
            let profile = word == ProfileName.local ? nil : word
            if !machines.contains(where: { $0.profile == profile }) { machines.append((profile, [])) }
        }
        return machines.isEmpty ? [(nil, [])] : machines
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

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let (filter, isDryRun) = (filter, isDryRun)
        var documents: [SessionDocument] = []
        var failures: [VTError] = []
        for (profile, names) in try allMachines(in: context) {
            do throws(VTError) {
                for name in names {
                    try SessionOperand.check(SessionReference(profile: profile, session: name), in: context)
                }
                let removed = try await SessionOperand.withSite(of: profile, in: context) { site throws(VTError) in
                    try await site.cleanUp(names, filter, isDryRun: isDryRun)
                }
                documents += removed.map { SessionDocument($0, profile: profile) }
            } catch {
                if !failures.isEmpty { context.diagnostics.note("\(profile ?? ProfileName.local): \(error.message)") }
                failures.append(error)
            }
        }
        // If nothing was removed, only the error is reported.
        if !documents.isEmpty || failures.isEmpty {
            try context.show(documents) { documents.map(\.id).joined(separator: "\n") }
        }
        if let failure = failures.first { throw failure }
        return 0
    }

    private func allMachines(in context: Context) throws(VTError) -> [Machine] {
        guard cleansAllProfiles else { return machines }
        return [(nil, [])] + (try context.dependencies.profiles().load().keys.sorted()).map { ($0, []) }
    }
}
