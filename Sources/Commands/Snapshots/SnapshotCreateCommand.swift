import Arguments
import Core
import Services

/// Takes a snapshot: `vt snapshot create SESSION`.
package enum SnapshotCreateCommand: Command {
    private static let name = Option(
        "name",
        ValueKind("NAME", parse: Self.parseName),
        summary: "give the snapshot a name"
    )
    private static let path = Option(
        "path",
        .text("DIR"),
        summary: "save this directory instead of the work tree",
        details: "A relative path starts at the working directory of the session. The home directory and directories "
            + "that contain it are saved only with this option."
    )
    private static let includeIgnored = Option.flag("include-ignored", summary: "also save files that git ignores")
    private static let exclude = Option(
        "exclude",
        ValueKind("GLOB", parse: Self.parsePattern),
        summary: "do not save files that match this pattern, as in .gitignore"
    ).repeatable()
    private static let maxFile = Option(
        "max-file",
        .byteCount,
        default: "100M",
        summary: "fail if a file is larger than this"
    )
    private static let maxSize = Option(
        "max-size",
        .byteCount,
        default: "2G",
        summary: "fail if all snapshots of the tree could together take more than this"
    )

    package static let spec = CommandSpec(
        ["snapshot", "create"],
        summary: "save the files of a session's work tree",
        description: [
            "Saves the current files of a session's work tree, and prints the ID of the snapshot: the git work tree "
                + "that contains the working directory of the session's shell or, without one, that directory itself. "
                + "It is on the machine of the session, where git must be installed.",
            SessionOperand.explanation,
            "# What is saved",
            "Files are saved byte for byte, with their permissions, and so are symbolic links, empty directories, and "
                + "the files of repositories in the tree, but never a '.git'. Files that git ignores are left out. "
                + "Owners, times, extended attributes and hard links are not saved; sockets, FIFOs, devices and files "
                + "that cannot be read are reported. Your repository is only read: no hook, filter or other program "
                + "that it configures is run.",
            "# Storage",
            "Snapshots are kept in a git repository of vt's own for each tree, so that a file that has not changed "
                + "takes no space again. They do not expire. With 'vt sessions create --auto-snapshot', vt also takes "
                + "one before each command that it starts in the session.",
        ],
        operands: [SessionOperand.session],
        options: [name, path, includeIgnored, exclude, maxFile, maxSize] + ConnectionOptions.options,
        examples: [
            ExampleSpec("vt snapshot create dev --name before-upgrade", "save the work tree under a name"),
            ExampleSpec("vt snapshot create web:dev --path /srv/app", "save a directory on a server"),
        ],
        exitCodes: SnapshotOptions.exitCodes + [.exists]
    )

    package static var documents: [DocumentSpec] { [.document(Snapshot.self)] }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let reference = call[SessionOperand.session]
        var request = SnapshotRequest()
        request.name = call[name]
        request.path = call[path]
        request.scope.includesIgnored = call[includeIgnored]
        request.scope.excludes = call[exclude]
        if let limit = call[maxFile] { request.limits.fileBytes = UInt64(limit) }
        if let limit = call[maxSize] { request.limits.storeBytes = UInt64(limit) }
        let snapshot = try await SessionOperand.withClient(of: reference, in: context) { client throws(VTError) in
            try await client.call(request, on: reference.session)
        }
        for file in snapshot.omitted.prefix(notedFiles) {
            context.diagnostics.note("not saved (\(file.reason.rawValue)): \(file.path.repairedText)")
        }
        if snapshot.omittedCount > notedFiles {
            let rest = snapshot.omittedCount - notedFiles
            context.diagnostics.note("not saved: \(rest) other files; see 'vt snapshot show'")
        }
        try context.show(snapshot) { snapshot.id }
        return 0
    }

    private static let notedFiles = 10

    private static func parseName(_ text: String) throws(VTError) -> String {
        // Those that names of sessions may have; a range of snapshots is 'A..B'.
        guard let name = try? SessionName(text).text, !name.contains("..") else {
            throw VTError(
                .usage,
                "invalid name '\(text)'",
                hint: "use up to 64 letters, digits, '.', '_' and '-', without '..'"
            )
        }
        return name
    }

    private static func parsePattern(_ text: String) throws(VTError) -> String {
        guard !text.isEmpty, !text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == 0 }) else {
            throw VTError(.usage, "invalid pattern '\(text)'")
        }
        return text
    }
}
