import Arguments
import Core
import Services

/// Lists and closes shared connections: `vt profile connections [PROFILE...]`.
package enum ProfileConnectionsCommand: Command {
    private static let names = Operand("PROFILE", completion: .profile).list(.zeroOrMore)
    private static let close = Option.flag(
        "close",
        excludes: ListOptions<SharedConnection>.options,
        summary: "close the connections; those in use are closed once the commands using them have ended"
    )

    package static let spec = CommandSpec(
        ["profile", "connections"],
        summary: "list or close shared connections",
        description: [
            "The first command for a server opens a connection, which later commands with the same settings reuse. The "
                + "connection is closed when it has been unused for 60 seconds, or for the time set with 'vt profile "
                + "edit --share', and when the profile, its keys or the host key changes. A connection to a server "
                + "without a profile is listed under the name of its host, which can be given in place of PROFILE.",
            "Commands that are given a password or passphrase do not share connections. Commands that run on more than "
                + "8 targets use shared connections that are already open, but do not keep new ones open. "
                + "VT_SHARE=off, --no-share or, for 'vt ssh', -o ControlPath=none disables sharing.",
        ],
        operands: [names],
        options: [close] + ListOptions<SharedConnection>.options,
        examples: [
            ExampleSpec("vt profile connections", "list all shared connections"),
            ExampleSpec("vt profile connections --close web", "close the connection to a server"),
        ],
        exitCodes: [.notFound, .system, .io, .config]
    )

    package static var documents: [DocumentSpec] {
        [.document([SharedConnection].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (names, closes) = (call[Self.names], call[close])
        let isSelected: @Sendable (SharedConnection) -> Bool = { connection in
            names.isEmpty || names.contains(where: connection.belongs)
        }
        let registry = try context.world.connections(context.diagnostics)
        var connections = try await registry.connections()
        let profiles = try context.profileService()
        for name in names where !connections.contains(where: { $0.belongs(to: name) }) {
            _ = try profiles.profile(name)
        }
        connections = closes ? try await registry.close(where: isSelected) : connections.filter(isSelected)
        let sorted = connections.sorted { ($0.name, $0.processID) < ($1.name, $1.processID) }
        guard !closes || context.global.json else { return 0 }
        try ListOptions<SharedConnection>(call).show(sorted, in: context, name: { $0.name }, table: table)
        return 0
    }

    private static func table(of connections: [SharedConnection]) -> TextTable {
        var table = TextTable(["NAME", "ADDRESS", "STATE", "PID", "SINCE"])
        for connection in connections {
            table.add([
                connection.name, "\(connection.user)@\(connection.endpoint)", state(of: connection),
                String(connection.processID), connection.openedAt.rawValue,
            ])
        }
        return table
    }

    private static func state(of connection: SharedConnection) -> String {
        if connection.isClosing { return "closing" }
        guard connection.uses == 0 else { return "in use: \(connection.uses)" }
        return "idle for \(connection.idle.wholeMilliseconds / 1000)s"
    }
}
