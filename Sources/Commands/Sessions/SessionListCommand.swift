import Arguments
import Core
import Services

/// Lists sessions: `vt sessions list`.
package struct SessionListCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "list"],
        summary: "list sessions, here and on servers",
        description: [
            "Prints a table of the sessions of this machine, or of the servers of the profiles that are named, the "
                + "oldest first; with --json an array of sessions as 'vt sessions show' has them. 'local' is this "
                + "machine, and a server that is not saved is named as USER@HOST[:PORT] or ssh://[USER@]HOST[:PORT].",
            "Several machines are asked at the same time. One that cannot be reached has a row that says so, with "
                + "--json an object with 'profile' and 'error', and does not make the run fail unless it is the only "
                + "one that was asked.",
        ],
        operands: [OperandSpec("PROFILE", .zeroOrMore, completion: .profile)],
        options: [
            OptionSpec("all-profiles", summary: "list the sessions of this machine and of all profiles"),
            OptionSpec(
                "state",
                value: ValueSpec("STATE", choices: SessionState.allCases.map(\.rawValue)),
                summary: "list only sessions in this state"
            ),
            OptionSpec(
                "tag",
                value: ValueSpec("TAG"),
                isRepeatable: true,
                summary: "list only sessions with this tag; of several, with all"
            ),
            OptionSpec(
                "watch",
                value: ValueSpec("DURATION"),
                summary: "list again and again, with so much time in between",
                details: "On a terminal each list takes the place of the former one; with --json each is one line."
            ),
            OptionSpec(
                "timeout",
                value: ValueSpec("DURATION", defaultText: "10s"),
                summary: "give up a server that has not answered after this time"
            ),
        ],
        examples: [
            ExampleSpec("vt sessions list", "list the sessions of this machine"),
            ExampleSpec("vt sessions list --all-profiles --state running", "list what runs anywhere"),
            ExampleSpec("vt sessions list web --json | jq -r '.[].name'", "list the names of a server's sessions"),
        ],
        exitCodes: SessionOperand.exitCodes + [.timedOut]
    )

    private let profiles: [String]
    private let listsAllProfiles: Bool
    private let filter: SessionFilter
    private let pause: Duration?
    private let timeout: Duration

    package init(_ arguments: ParsedArguments) throws(VTError) {
        profiles = arguments.operands("PROFILE")
        listsAllProfiles = arguments.flag("all-profiles")
        guard profiles.isEmpty || !listsAllProfiles else {
            throw VTError(.usage, "'--all-profiles' and names of profiles exclude each other")
        }
        filter = SessionFilter(state: arguments.choice("state", of: SessionState.self), tags: arguments.values("tag"))
        pause = try arguments.value("watch") { text throws(VTError) in
            let pause = try Duration(parsing: text)
            guard pause >= .milliseconds(100) else { throw VTError(.usage, "'\(text)' is shorter than 100ms") }
            return pause
        }
        timeout = try arguments.value("timeout") { text throws(VTError) in try Duration(parsing: text) } ?? .seconds(10)
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        let survey = SessionSurvey(
            profiles: try machines(in: context),
            filter: filter,
            timeout: timeout,
            context: context
        )
        while true {
            let listings = await survey.listings()
            if let listing = listings.first, listings.count == 1, pause == nil { _ = try listing.sessions.get() }
            try SessionListing.show(listings, isWatched: pause != nil, in: context)
            guard let pause else { return 0 }
            do {
                try await Task.sleep(for: pause)
            } catch {
                throw .cancelled
            }
        }
    }

    /// The profiles to ask; nil is this machine.
    private func machines(in context: Context) throws(VTError) -> [String?] {
        if listsAllProfiles {
            return [nil] + (try context.services.profileStore().load().keys.sorted())
        }
        var machines: [String?] = []
        for name in profiles {
            let machine = name == ProfileName.local ? nil : name
            if !machines.contains(machine) { machines.append(machine) }
        }
        return machines.isEmpty ? [nil] : machines
    }
}
