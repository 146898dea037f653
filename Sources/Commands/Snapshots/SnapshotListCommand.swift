import Arguments
import Core
import Services

/// Lists snapshots: `vt snapshot list SESSION`.
package struct SnapshotListCommand: Command {
    package static let spec = CommandSpec(
        ["snapshot", "list"],
        summary: "list the snapshots of a session's work tree",
        description: [
            SessionOperand.explanation,
            "Lists the snapshots of the tree, whichever session they were taken for, and those that were taken for this "
                + "session of other trees, oldest first.",
            SnapshotOptions.tree,
        ],
        operands: [SessionOperand.spec()],
        options: ListOptions<Snapshot>.options + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt snapshot list dev", "list all snapshots"),
            ExampleSpec(
                "vt snapshot list dev --filter kind=safety --ids",
                "print the IDs of those taken by 'vt rollback'"
            ),
        ],
        files: SnapshotOptions.files,
        exitCodes: SnapshotOptions.exitCodes
    )

    package static var documents: [DocumentSpec] { [.document([Snapshot].self)] }

    private let reference: SessionReference
    private let list: ListOptions<Snapshot>

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        list = try ListOptions(arguments)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let snapshots = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.snapshots(of: reference.session)
        }
        try list.show(snapshots, in: context, name: \.id, table: SnapshotOptions.table)
        return 0
    }
}
