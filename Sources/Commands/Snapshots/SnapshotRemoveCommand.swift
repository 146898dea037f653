import Arguments
import Core
import Services

/// Removes snapshots: `vt snapshot remove SESSION SNAPSHOT...`.
package struct SnapshotRemoveCommand: Command {
    package static let spec = CommandSpec(
        ["snapshot", "remove"],
        summary: "remove snapshots",
        description: [
            SessionOperand.explanation,
            "Removes the snapshots, frees the space that only they use, and prints their IDs. SNAPSHOT is a name, an ID, "
                + "or the start of an ID with at least four digits. If one of them does not exist, none is removed.",
        ],
        operands: [SessionOperand.spec(), SnapshotOptions.operand(.oneOrMore)],
        options: ConnectionOptions.options,
        examples: [
            ExampleSpec("vt snapshot remove dev before-upgrade", "remove a snapshot"),
            ExampleSpec("vt snapshot remove dev 3f2a 81c0", "remove two snapshots by the start of their IDs"),
        ],
        files: SnapshotOptions.files,
        exitCodes: SnapshotOptions.exitCodes
    )

    package static var documents: [DocumentSpec] { [.document([Snapshot].self)] }

    private let reference: SessionReference
    private let words: [String]

    package init(_ arguments: ParsedArguments) throws(VTError) {
        reference = try SessionOperand.reference(arguments)
        words = arguments.operands(SnapshotOptions.placeholder)
    }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let removed = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.removeSnapshots(words, of: reference.session)
        }
        try context.show(removed) { removed.map(\.id).joined(separator: "\n") }
        return 0
    }
}
