import Arguments
import Core
import Services

/// Removes snapshots: `vt snapshot remove SESSION SNAPSHOT...`.
package enum SnapshotRemoveCommand: Command {
    private static let snapshots = SnapshotOptions.snapshot.list(.oneOrMore)

    package static let spec = CommandSpec(
        ["snapshot", "remove"],
        summary: "remove snapshots",
        description: [
            "Removes the snapshots, frees the space that only they use, and prints their IDs. SNAPSHOT is a name, an ID, "
                + "or the start of an ID with at least four digits. If one of them does not exist, none is removed.",
            SessionOperand.explanation,
        ],
        operands: [SessionOperand.session, snapshots],
        options: ConnectionOptions.options,
        examples: [
            ExampleSpec("vt snapshot remove dev before-upgrade", "remove a snapshot"),
            ExampleSpec("vt snapshot remove dev 3f2a 81c0", "remove two snapshots by the start of their IDs"),
        ],
        exitCodes: SnapshotOptions.exitCodes
    )

    package static var documents: [DocumentSpec] { [.document([Snapshot].self)] }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (reference, words) = (call[SessionOperand.session], call[snapshots])
        let removed = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(SnapshotRemoval(words), on: reference.session)
        }
        try context.show(removed) { removed.map(\.id).joined(separator: "\n") }
        return 0
    }
}
