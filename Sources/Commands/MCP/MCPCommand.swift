import Arguments
import Core

/// Offers sessions to coding agents over the Model Context Protocol: `vt mcp`.
package enum MCPCommand: Command {
    private static let allow = Option(
        "allow",
        .text("PROFILE", completion: .profile),
        summary: "allow only this server, or this machine with 'local'"
    ).repeatable()
    private static let readOnly = Option.flag("read-only", summary: "offer only tools that change nothing")
    private static let session = Option(
        "session",
        ValueKind("SESSION", completion: .session, parse: SessionReference.init(parsing:)),
        summary: "allow only this session, which calls need not name"
    )

    package static let spec = CommandSpec(
        ["mcp"],
        summary: "offer sessions to coding agents over MCP",
        description: [
            "Serves the Model Context Protocol on standard input and output, in the revisions 2026-07-28 and, with a "
                + "handshake, 2025-11-25 and earlier. A client starts this command itself; its configuration contains "
                + "the command line. The server ends with standard input.",
            "The tools are run, read, screen, send, wait, sessions, create, ask, kill, copy and profiles. 'run' evaluates a "
                + "line in the live shell of a session, as 'vt sessions exec' does. Output is limited to 8 KiB by "
                + "default, and results contain the offset at which 'read' continues. A call that is canceled leaves its "
                + "command running. Sessions are also resources: vt://PROFILE/SESSION/screen and .../log, with 'local' "
                + "for this machine.",
            "A server that runs in a session does not kill that session.",
        ],
        options: [allow, readOnly, session],
        examples: [
            ExampleSpec("vt mcp --allow local", "offer the sessions of this machine; a client runs this command"),
            ExampleSpec("vt mcp --allow web --read-only", "offer the sessions of a server for reading"),
        ],
        exitCodes: [.protocolViolation]
    )

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func endsWithReader(_ call: Call) -> Bool { true }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        try context.console.input.checkIsReadable()
        let policy = MCPPolicy(machines: call[allow], isReadOnly: call[readOnly], session: call[session])
        try await MCPServer(policy, context).run()
        return 0
    }
}
