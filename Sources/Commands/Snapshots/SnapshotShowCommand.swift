import Arguments
import Core
import Services

/// Shows a snapshot: `vt snapshot show SESSION SNAPSHOT`.
package enum SnapshotShowCommand: Command {
    package static let spec = CommandSpec(
        ["snapshot", "show"],
        summary: "show the details of a snapshot",
        description: [
            "SNAPSHOT is a name, an ID, or the start of an ID with at least four digits. The files that are not saved are "
                + "listed, except ignored ones.",
            SessionOperand.explanation,
        ],
        operands: [SessionOperand.session, SnapshotOptions.snapshot],
        options: ConnectionOptions.options,
        examples: [ExampleSpec("vt snapshot show dev before-upgrade", "show a snapshot")],
        exitCodes: SnapshotOptions.exitCodes
    )

    package static var documents: [DocumentSpec] { [.document(Snapshot.self)] }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let snapshots = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(SnapshotsRequest(), on: reference.session)
        }
        let snapshot = try Snapshot.find(call[SnapshotOptions.snapshot], in: snapshots)
        try context.show(snapshot, fields: rows(snapshot))
        return 0
    }

    private static func rows(_ snapshot: Snapshot) -> [(String, String?)] {
        let turns = snapshot.turns.map(String.init).joined(separator: ", ")
        let rows: [(String, String?)] = [
            ("id", snapshot.id), ("name", snapshot.name), ("kind", snapshot.kind.rawValue), ("tree", snapshot.tree),
            ("session", snapshot.session), ("taken", snapshot.createdAt.rawValue),
            ("before command", turns.isEmpty ? nil : turns), ("head", snapshot.head),
            ("files", String(snapshot.fileCount)), ("size", "\(snapshot.sizeBytes) bytes"),
            ("ignored files", snapshot.scope.includesIgnored ? "saved" : nil),
            ("excluded", snapshot.scope.excludes.isEmpty ? nil : snapshot.scope.excludes.joined(separator: ", ")),
            ("not saved", snapshot.omittedCount > 0 ? "\(snapshot.omittedCount) files" : nil),
        ]
        return rows + snapshot.omitted.map { ("", "\($0.path.repairedText) (\($0.reason.rawValue))") }
    }
}
