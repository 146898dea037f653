import Arguments
import Core
import Services

/// Lists snapshots: `vt snapshot list SESSION`.
package enum SnapshotListCommand: Command {
    package static let spec = CommandSpec(
        ["snapshot", "list"],
        summary: "list the snapshots of a session's work tree",
        description: [
            "Lists the snapshots of a session's work tree (see 'vt help snapshot create'), whichever session they "
                + "were taken for, and those that were taken for this session of other trees, oldest first.",
            SessionOperand.explanation,
        ],
        operands: [SessionOperand.session],
        options: ListOptions<Snapshot>.options + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt snapshot list dev", "list all snapshots"),
            ExampleSpec(
                "vt snapshot list dev --filter kind=safety --ids",
                "print the IDs of those taken by 'vt rollback'"
            ),
        ],
        exitCodes: SnapshotOptions.exitCodes
    )

    package static var documents: [DocumentSpec] { [.document([Snapshot].self)] }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        let snapshots = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(SnapshotsRequest(), on: reference.session)
        }
        try ListOptions<Snapshot>(call).show(snapshots, in: context, name: \.id, table: SnapshotOptions.table)
        return 0
    }
}
