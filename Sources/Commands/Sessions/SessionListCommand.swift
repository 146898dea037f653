import Arguments
import Core
import Services

/// Lists sessions: `vt sessions list`.
package enum SessionListCommand: Command {
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
    private static let profiles = Operand("PROFILE", completion: .target).list(.zeroOrMore)

    package static let spec = CommandSpec(
        ["sessions", "list"],
        summary: "list sessions on this machine and on servers",
        description: [
            "Prints a table of the sessions on this machine, or on the given servers, oldest first. With --json, "
                + "prints an array of sessions in the format of 'vt sessions show'.",
            TargetOptions.explanation,
            "Servers are queried in parallel. A server that cannot be reached is shown as a row or, with --json, as "
                + "an object with 'profile' and 'error'. This is an error only if no other machine is queried.",
        ],
        operands: [profiles],
        options: [allProfiles, state, tag, watch, timeout] + TargetOptions.options
            + ListOptions<SessionListing.Document>.options + ConnectionOptions.options,
        commonOptions: [allProfiles, tag, state, watch],
        examples: [
            ExampleSpec("vt sessions list", "list the sessions on this machine"),
            ExampleSpec("vt sessions list --all-profiles --state running", "list running sessions on all machines"),
            ExampleSpec("vt sessions list web --ids", "print the names of the sessions on a server: web:NAME"),
            ExampleSpec(
                "vt sessions list --fields name,exit.code --filter state=exited --sort -ended_at",
                "print the exit statuses of the programs that have ended, last first"
            ),
        ],
        exitCodes: VTError.Code.ofConnections
    )

    package static var documents: [DocumentSpec] {
        [
            .document([SessionListing.Document].self),
            .lines([SessionListing.Document].self, when: "with `--watch`"),
        ]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try targets(call)
    }

    private static func targets(_ call: Call) throws(VTError) -> TargetOptions {
        try TargetOptions.ofMachines(call, words: call[profiles], all: call[allProfiles])
    }

    package static func endsWithReader(_ call: Call) -> Bool { call.contains(watch) }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let machines = try await targets(call).machines(in: context)
        let filter = SessionFilter(state: call[state], tags: call[tag])
        let pause = call[watch]
        let timeout = call[Self.timeout] ?? .seconds(10)
        while true {
            let listings = await SessionListing.listings(on: machines, filter, timeout: timeout, in: context)
            if let listing = listings.first, listings.count == 1, pause == nil { _ = try listing.sessions.get() }
            try SessionListing.show(listings, ListOptions(call), isWatched: pause != nil, in: context)
            guard let pause else { return 0 }
            try await context.world.clock.pause(for: pause)
        }
    }
}
