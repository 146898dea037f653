import CommandLine
import Core
import Services

/// Removes sessions that have ended: `vt sessions cleanup`.
package struct SessionCleanupCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "cleanup"],
        summary: "remove sessions that have ended",
        description: [
            SessionOperand.explanation,
            "Removes the sessions that are named, or those that the options choose, with their logs, and prints their "
                + "ids. Live sessions are never touched. It may run at any time, and several times at once.",
        ],
        operands: [SessionOperand.spec(.zeroOrMore)],
        options: [
            OptionSpec("all", summary: "remove all sessions that have ended"),
            OptionSpec(
                "older-than",
                value: ValueSpec("DURATION"),
                summary: "remove only sessions that ended so long ago"
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
            ExampleSpec("vt sessions cleanup --all --dry-run", "see what would be removed"),
        ],
        exitCodes: SessionOperand.exitCodes + [.busy]
    )

    private let references: [SessionReference]
    private let filter: SessionFilter
    private let isDryRun: Bool

    package init(_ arguments: ParsedArguments) throws(VTError) {
        references = try SessionOperand.references(arguments)
        filter = SessionFilter(
            tags: arguments.values("tag"),
            endedFor: try arguments.value("older-than") { text throws(VTError) in try Duration(parsing: text) }
        )
        isDryRun = arguments.flag("dry-run")
        let isChosen = arguments.flag("all") || filter != SessionFilter()
        guard isChosen || !references.isEmpty else {
            throw VTError(.usage, "nothing says which sessions to remove", hint: "vt sessions cleanup --all")
        }
        guard !arguments.flag("all") || references.isEmpty else {
            throw VTError(.usage, "'--all' and names of sessions exclude each other")
        }
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let (filter, isDryRun) = (filter, isDryRun)
        var documents: [SessionDocument] = []
        for (profile, names) in machines {
            let removed = try await SessionOperand.withSite(of: profile, in: context) { site throws(VTError) in
                try await site.cleanUp(names, filter, isDryRun: isDryRun)
            }
            documents += removed.map { SessionDocument($0, profile: profile) }
        }
        try context.show(documents) { documents.map(\.id).joined(separator: "\n") }
        return 0
    }

    /// Each machine once, with the sessions that are named of it; without names this machine.
    private var machines: [(profile: String?, names: [String])] {
        guard !references.isEmpty else { return [(nil, [])] }
        var machines: [(profile: String?, names: [String])] = []
        for reference in references {
            if let index = machines.firstIndex(where: { $0.profile == reference.profile }) {
                machines[index].names.append(reference.session)
            } else {
                machines.append((reference.profile, [reference.session]))
            }
        }
        return machines
    }
}
