import Arguments
import Core
import Services

/// Moves a work tree back to a snapshot: `vt rollback SESSION SNAPSHOT`.
package enum RollbackCommand: Command {
    private static let yes = Option.flag("yes", summary: "allow files to be changed (required)")
    private static let dryRun = Option.flag("dry-run", excludes: [yes], summary: "list the changes without making them")
    private static let path = Option(
        "path",
        .text("PATH"),
        summary: "roll back only this file or directory, relative to the top of the tree"
    ).repeatable()
    private static let force = Option.flag(
        "force",
        summary: "roll back even if a command may be running in the session"
    )

    package static let spec = CommandSpec(
        ["rollback"],
        summary: "move a session's work tree back to a snapshot",
        description: [
            "Moves the files of a session's work tree back to SNAPSHOT. First takes a snapshot of the current state, "
                + "the safety snapshot, and prints its ID; to undo the rollback, roll back to it.",
            SessionOperand.explanation,
            "SNAPSHOT is a name, an ID, or the start of an ID with at least four digits.",
            "# What changes",
            "Files that differ from SNAPSHOT are replaced, and those that it does not contain are deleted, but only "
                + "files that the safety snapshot contains. Files that git ignores or that are not saved for another "
                + "reason are never touched: if one is in the way, it is named, and nothing is changed. If no file "
                + "differs, nothing is changed or printed. If a rollback is interrupted, the same command finishes "
                + "it.",
            "The shell must be at its prompt. Its variables and its directory do not change, nor do your repository's "
                + "branch and index: git shows the differences as usual. Newer snapshots remain. The timeline of the "
                + "session gets a marker with both IDs.",
        ],
        operands: [SessionOperand.session, SnapshotOptions.snapshot],
        options: [dryRun, path, force, yes] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt rollback dev before-upgrade --dry-run", "list what would be changed"),
            ExampleSpec("vt rollback dev before-upgrade --yes", "move the work tree back"),
            ExampleSpec("vt rollback dev 3f2a --path src/main.c --yes", "restore one file"),
        ],
        exitCodes: SnapshotOptions.exitCodes + [.exists]
    )

    package static var documents: [DocumentSpec] { [.document(RollbackResult.self)] }

    package static func check(_ call: Call) throws(VTError) {
        guard call[dryRun] || call[yes] else {
            throw VTError(
                .usage,
                "a rollback changes files",
                hint: "add --yes to confirm, or --dry-run to list the changes"
            )
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        var request = RollbackRequest(call[SnapshotOptions.snapshot])
        request.paths = call[path].map { ByteString($0).withoutTrailingSlashes }
        request.isDryRun = call[dryRun]
        request.isForced = call[force]
        try context.output.checkIsWritable()
        let result = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(request, on: reference.session)
        }
        try context.show(result) { result.safety ?? SnapshotOptions.lines(result.changes) }
        if let head = result.earlierHead {
            context.diagnostics.note("the snapshot was taken when '\(head)' was checked out")
        }
        if !result.isDryRun, result.safety == nil {
            context.diagnostics.note("the files are as in the snapshot; nothing was changed")
        }
        if let safety = result.safety {
            let count = result.changes.count
            context.diagnostics.note(
                (count == 1 ? "1 file was" : "\(count) files were")
                    + " changed; to undo this: vt rollback \(reference.text) \(safety) --yes"
            )
        }
        return 0
    }
}
