import Arguments
import Core
import Services

/// Removes sessions that have ended: `vt sessions cleanup`.
package struct SessionCleanupCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "cleanup"],
        summary: "remove sessions that have ended",
        description: [
            "Removes sessions that have ended, with their logs, and prints their ids: those that are named, or with a "
                + "filter (--all, --older-than, --state, --tag) those it chooses on this machine, or on the servers of the "
                + "profiles that are named instead. 'local' is this machine.",
            "A session is named by its exact name or id, one of a server as PROFILE:SESSION. Live sessions are never "
                + "touched, and neither are lost ones of which a process still runs: 'vt sessions kill' ends it. It may "
                + "run at any time, and several times at once. A server that cannot be reached does not keep the others "
                + "from being cleaned, and makes the run fail.",
        ],
        operands: [OperandSpec("SESSION|PROFILE", .zeroOrMore, completion: .session)],
        options: [
            OptionSpec("all", summary: "remove all sessions that have ended"),
            OptionSpec("all-profiles", summary: "remove sessions of this machine and of all profiles"),
            OptionSpec(
                "older-than",
                value: ValueSpec("DURATION"),
                summary: "remove only sessions that ended so long ago"
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
                summary: "remove only sessions with this tag; of several, with all"
            ),
            OptionSpec("dry-run", summary: "print the ids and remove nothing"),
        ],
        examples: [
            ExampleSpec("vt sessions cleanup --older-than 7d", "remove what ended a week ago or before"),
            ExampleSpec("vt sessions cleanup build", "remove one session"),
            ExampleSpec(
                "vt sessions cleanup web db --state exited --dry-run",
                "see what would be removed of two servers"
            ),
        ],
        exitCodes: SessionOperand.exitCodes + [.busy]
    )

    /// Each machine once, nil being this one, with the sessions that are named of it; none: those that the filter chooses.
    private typealias Machine = (profile: String?, names: [String])

    private let machines: [Machine]
    private let cleansAllProfiles: Bool
    private let filter: SessionFilter
    private let isDryRun: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        filter = SessionFilter(
            state: arguments.choice("state", of: SessionState.self),
            tags: arguments.values("tag"),
            endedFor: try arguments.value("older-than") { text throws(VTError) in try Duration(parsing: text) }
        )
        isDryRun = arguments.flag("dry-run")
        cleansAllProfiles = arguments.flag("all-profiles")
        let words = arguments.operands("SESSION|PROFILE")
        let isFiltered = arguments.flag("all") || filter != SessionFilter()
        guard isFiltered || (!words.isEmpty && !cleansAllProfiles) else {
            throw VTError(.usage, "nothing says which sessions to remove", hint: "vt sessions cleanup --all")
        }
        guard words.isEmpty || !cleansAllProfiles else {
            throw VTError(.usage, "'--all-profiles' and names exclude each other")
        }
        machines = isFiltered ? try Self.profiles(words) : try Self.sessions(words)
    }

    private static func profiles(_ words: [String]) throws(VTError) -> [Machine] {
        var machines: [Machine] = []
        for word in words {
            guard !word.contains(":") || word.contains("@") || word.contains("://") else {
                throw VTError(
                    .usage,
                    "'\(word)' is no profile, and a filter chooses sessions by itself",
                    hint: "name sessions without a filter: vt sessions cleanup \(word)"
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

    package func run(in context: Context) async throws(VTError) -> UInt8 {
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
        // With nothing removed, the failure is all there is to tell.
        if !documents.isEmpty || failures.isEmpty {
            try context.show(documents) { documents.map(\.id).joined(separator: "\n") }
        }
        if let failure = failures.first { throw failure }
        return 0
    }

    private func allMachines(in context: Context) throws(VTError) -> [Machine] {
        guard cleansAllProfiles else { return machines }
        return [(nil, [])] + (try context.services.profileStore().load().keys.sorted()).map { ($0, []) }
    }
}
