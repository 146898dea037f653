import CommandLine

/// All commands, in manual order.
package enum CommandTable {
    package static let all: [any Command.Type] = [VersionCommand.self]

    /// The first words that need a verb; those without a command yet are not shown.
    package static let groups = [
        GroupSpec("profile", "save servers as profiles"),
        GroupSpec("host", "know the host keys of servers"),
    ]

    /// The table as data, for the parser and everything that is rendered from it.
    package static let tree = CommandTree(
        version: Release.version,
        date: Release.date,
        summary: "make terminal sessions scriptable",
        groups: groups,
        commands: all.map { $0.spec }
    )
}
