import Arguments
import Core
import Services

/// Lists sessions: `vt sessions list`.
package struct SessionListCommand: Command {
    private static let allProfiles = TargetOptions.allProfiles("list")
    private static let state = Option(
        "state",
        .choice("STATE", SessionState.allCases),
        summary: "list only sessions in this state"
    )
    private static let tag = Option(
        "tag",
        .text("TAG"),
        summary: "list only sessions with this tag; if repeated, with all of the tags"
    ).repeatable()
    private static let watch = Option(
        "watch",
        .duration(atLeast: .milliseconds(100)),
        summary: "print the list repeatedly, at this interval",
        details: "On a terminal, each list replaces the previous one. With --json, each list is one line."
    )
    private static let timeout = Option(
        "timeout",
        .duration,
        default: "10s",
        summary: "time out if a server has not responded after this time"
    )

    package static let spec = CommandSpec(
        ["sessions", "list"],
        summary: "list sessions on this machine and on servers",
        description: [
            "Prints a table of the sessions on this machine or on the servers of the given profiles, oldest first. "
                + "With --json, prints an array of sessions in the format of 'vt sessions show'. 'local' is this "
                + "machine. A server without a profile is given as USER@HOST[:PORT] or ssh://[USER@]HOST[:PORT].",
            TargetOptions.explanation,
            "Servers are queried in parallel. A server that cannot be reached is shown as a row or, with --json, as an "
                + "object with 'profile' and 'error'. This is an error only if no other machine is queried.",
        ],
        operands: [OperandSpec("PROFILE", .zeroOrMore, completion: .target)],
        options: [allProfiles, state, tag, watch, timeout] + TargetOptions.options
            + ListOptions<SessionListing.Document>.options + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt sessions list", "list the sessions on this machine"),
            ExampleSpec("vt sessions list --all-profiles --state running", "list running sessions on all machines"),
            ExampleSpec("vt sessions list web --ids", "print the names of the sessions on a server: web:NAME"),
            ExampleSpec(
                "vt sessions list --fields name,exit.code --filter state=exited --sort -ended_at",
                "print the exit statuses of the programs that have ended, last first"
            ),
        ],
        files: FileSpec.ofSessions + [.sessionNames],
        exitCodes: VTError.Code.ofConnections
    )

    package static var documents: [DocumentSpec] {
        [
            .document([SessionListing.Document].self),
            .lines([SessionListing.Document].self, when: "with `--watch`"),
        ]
    }

    private let targets: TargetOptions
    private let filter: SessionFilter
    private let pause: Duration?
    private let timeout: Duration
    private let list: ListOptions<SessionListing.Document>

    package init(_ arguments: ParsedArguments) throws(VTError) {
        targets = try TargetOptions.ofMachines(
            arguments,
            words: arguments.operands("PROFILE"),
            all: arguments[Self.allProfiles]
        )
        filter = SessionFilter(state: try arguments[Self.state], tags: try arguments[Self.tag])
        pause = try arguments[Self.watch]
        timeout = try arguments[Self.timeout] ?? .seconds(10)
        list = try ListOptions(arguments)
    }

    package var endsWithReader: Bool { pause != nil }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let machines = try await targets.machines(in: context)
        while true {
            let listings = await SessionListing.listings(on: machines, filter, timeout: timeout, in: context)
            if let listing = listings.first, listings.count == 1, pause == nil { _ = try listing.sessions.get() }
            try SessionListing.show(listings, list, isWatched: pause != nil, in: context)
            guard let pause else { return 0 }
            try await context.dependencies.clock.pause(for: pause)
        }
    }
}
