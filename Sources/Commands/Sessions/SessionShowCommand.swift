import Arguments
import Core
import Services

/// Shows a session: `vt sessions show SESSION`.
package enum SessionShowCommand: Command {
    package static let spec = CommandSpec(
        ["sessions", "show"],
        summary: "show the details of a session",
        description: [
            "Fields with unknown values are omitted. A session whose holder has disappeared is 'lost': its log is "
                + "kept, but whether and how its program ended is unknown.",
            SessionOperand.explanation,
        ],
        operands: [SessionOperand.session],
        options: ConnectionOptions.options,
        examples: [
            ExampleSpec("vt sessions show build", "show all details"),
            ExampleSpec(
                "vt sessions show web:build --json | jq .exit.code",
                "print the exit status of a program on a server"
            ),
        ],
        exitCodes: VTError.Code.ofConnections
    )

    package static var documents: [DocumentSpec] {
        [.document(SessionDocument.self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let session = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.session(reference.session)
        }
        guard !context.global.json else {
            try context.output.json(SessionDocument(session, profile: reference.profile))
            return 0
        }
        var table = TextTable(["FIELD", "VALUE"])
        for (field, value) in rows(session, profile: reference.profile) {
            if let value { table.add([field, value]) }
        }
        try context.output.table(table)
        return 0
    }

    private static func rows(_ session: Session, profile: String?) -> [(String, String?)] {
        let list: ([String]) -> String? = { $0.isEmpty ? nil : $0.joined(separator: ", ") }
        // A VibeTunnel server does not report what concerns vt's own logs.
        let isOwn = session.vibeTunnel == nil
        return [
            ("id", session.id.text), ("name", session.name), ("profile", profile),
            ("state", SessionText.state(session)), ("failure", session.failure),
            ("question", session.openQuestion?.message),
            ("command", SessionText.command(session)), ("cwd", session.directory),
            ("environment", list(session.environmentNames)),
            ("shell", session.shell.map(SessionText.shell)),
            ("pid", session.state.isLive ? session.program.map { String($0.processID) } : nil),
            ("size", SessionText.size(session)), ("term", isOwn ? session.terminalType : nil),
            ("tags", list(session.tags)),
            ("created", session.createdAt.rawValue), ("started", session.startedAt?.rawValue),
            ("active", session.activeAt?.rawValue),
            ("ended", session.endedAt?.rawValue), ("output", isOwn ? "\(session.outputBytes) bytes" : nil),
            ("kept", kept(session)), ("log", isOwn ? log(session) : nil), ("removed", removal(of: session)),
            ("clients", session.clients.map(String.init)),
            ("survives", session.survival), ("host", isOwn ? session.host : nil),
            ("version", isOwn ? session.version : nil),
        ]
    }

    private static func kept(_ session: Session) -> String? {
        let end = session.logStoppedAt ?? session.outputBytes
        return session.firstOffset < end ? "offsets \(session.firstOffset) to \(end)" : nil
    }

    private static func removal(of session: Session) -> String? {
        session.keepFor.map { $0 == .zero ? "when it has ended" : "\($0.shortText) after it has ended" }
    }

    private static func log(_ session: Session) -> String {
        if let offset = session.logStoppedAt {
            return "stopped at offset \(offset); later output was not logged"
        }
        return "keeps up to \(session.logLimitBytes) bytes"
    }
}
