import Arguments
import Core
import Services

/// Copies files between machines: `vt copy`.
package enum CopyCommand: Command {
    private static let sources = Operand(bytes: "SOURCE", completion: .anyFile).list(.oneOrMore)
    private static let destination = Operand(bytes: "DEST", completion: .anyFile)
    private static let recursive = Option.flag("recursive", short: "r", summary: "copy directories with their contents")
    private static let preserve = Option.flag("preserve", short: "p", summary: "preserve permissions and times")
    private static let parents = Option.flag(
        "parents",
        summary: "create missing parent directories of DEST",
        details: "If DEST ends in '/', or if there are several files, DEST is created, too."
    )
    private static let resume = Option.flag(
        "resume",
        summary: "continue an interrupted copy",
        details: "Skips files that already exist in DEST with the same size and modification time, continues files "
            + "that an interrupted copy with --resume has left incomplete, and keeps incomplete files so that the next "
            + "run can continue them. Implies --preserve. A file on a server that was modified less than two seconds "
            + "before it was copied is not continued, because its replacement could have the same time."
    )
    private static let checksum = Option.flag(
        "checksum",
        short: "c",
        summary: "compare files by their SHA-256 checksums",
        details: "Skips files that already exist in DEST with the same contents, regardless of their times, and "
            + "verifies each copy before it appears under its final name. Servers compute the checksums themselves if "
            + "they have sha256sum, shasum or openssl; otherwise vt reads the files over the connection."
    )
    private static let inPlace = Option.flag(
        "in-place",
        summary: "write to existing files instead of replacing them",
        details:
            "An existing file remains the same file, with its owner, permissions and hard links; but readers see it "
            + "incomplete during the copy, and an interrupted copy leaves it incomplete. Without this option, files are "
            + "written in place only where they cannot be replaced. Cannot be used with --resume."
    )
    private static let connections = Option(
        "connections",
        .number(in: 0...16),
        summary: "transfer large copies over N more connections",
        details: "Copies of at least 256 MiB are transferred over N more connections to the server, so that several "
            + "processor cores encrypt and decrypt the data. By default, N is half the number of cores of this "
            + "machine, but at most 4; it is 0 if there are fewer than four cores or several targets. Not used with "
            + "--via."
    )
    private static let parallel = Option(
        "parallel",
        .number(in: 1...10_000),
        default: "\(CopyRun.parallel)",
        summary: "copy to or from at most N targets at once",
        details: "Standard input of more than 1 GiB can be copied to at most N targets."
    )

    package static let spec = CommandSpec(
        ["copy"],
        summary: "copy files to and from servers",
        description: [
            "Copies files and directories to, from and between servers, over SFTP. SOURCE and DEST are each "
                + "TARGET:PATH or a path on this machine; '-' means standard input as the only SOURCE, and standard "
                + "output as DEST.",
            "DEST is a file or an existing directory; with several files, it must be a directory. If SOURCE is a "
                + "directory and DEST does not exist, SOURCE is copied as DEST; but if DEST ends in '/', or with "
                + "--resume, DEST is created and SOURCE is copied into it.",
            "# Paths",
            "Relative paths on a server start in the user's home directory, as does '~/PATH'; in a URL, PATH is "
                + "absolute unless it starts with '~/'. Write a local path that contains a colon as './a:b'. In a "
                + "path on a server, '*' matches any characters in a file name and '?' matches a single byte, unless "
                + "a file with exactly that name exists; quote patterns to protect them from the shell.",
            "All SOURCE files must be on the same machine, except for several targets. If both SOURCE and DEST are on "
                + "servers, the data passes through this machine.",
            "# Several targets",
            "To copy to or from several targets, name them before the colon ('web[1-3]:/etc/motd'), or select them "
                + "with --tag, --all or --targets-file and use ':PATH'. Files from several targets are copied to "
                + "DEST/TARGET; if DEST ends in '/', or with --resume, DEST is created. If one of several files or targets fails, copying continues with the rest; failures "
                + "are listed on standard error.",
            "# What is copied",
            "Each file is written under a temporary name in its destination directory, and appears under its final "
                + "name only when it is complete; an existing file is replaced atomically if the server supports "
                + "that, as OpenSSH does. A replaced file keeps its owner and its permissions; a new file gets the "
                + "permissions of SOURCE, masked by the umask. Owners and the set-user-ID and set-group-ID bits are "
                + "not copied. Holes in files remain holes.",
            "Where an existing file cannot be replaced, because its directory is not writable, its owner cannot be "
                + "kept, it is a mount point, or the server renames no files, it is written in place, and a note says "
                + "so. If DEST is a symbolic link to a file, that file is replaced. In directories, symbolic links "
                + "are copied as links. Devices, FIFOs and sockets are neither copied nor replaced.",
            "# Servers",
            "The server must provide the SFTP subsystem, as sshd does by default. A profile with --via needs sh, "
                + "stat, find and cat, those of GNU or BusyBox; holes are filled with zeros.",
        ],
        operands: [sources, destination],
        options: [
            recursive, preserve, parents, resume, checksum, inPlace, connections, parallel,
        ] + FileConnectionOptions.options + TargetOptions.profileOptions + TargetOptions.options,
        commonOptions: [recursive, preserve, parents, resume, checksum],
        examples: [
            ExampleSpec("vt copy app.tar web:/srv/", "copy a file into a directory on a server"),
            ExampleSpec("vt copy -r web:/var/log/nginx .", "copy a directory from a server"),
            ExampleSpec("vt copy --parents app.conf web:/srv/app/etc/", "create a directory on a server for a file"),
            ExampleSpec("vt copy --tag prod app.tar :/srv/", "copy a file to all servers with a tag"),
            ExampleSpec(
                "vt copy --parents 'web*:/etc/nginx/nginx.conf' configurations",
                "collect a file from several servers, in directories named after them"
            ),
            ExampleSpec("vt copy -r --resume photos nas:backup/", "copy a directory, in several attempts if necessary"),
        ],
        exitCodes: VTError.Code.ofConnections + [.negative, .cannotCreate, .io],
        statuses: [
            1: "one of several files or targets failed"
        ]
    )

    package static var documents: [DocumentSpec] {
        [.lines(CopyEvent.self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try copyRun(call)
    }

    private static func copyRun(_ call: Call) throws(VTError) -> CopyRun {
        let sources = try call[sources].map(FileOperand.init(parsing:))
        let source = sources[0]
        let destination = try FileOperand(parsing: call[destination])
        guard sources.allSatisfy({ $0.target == source.target }) else {
            throw VTError(
                .usage,
                "the files to copy are on different machines",
                hint: "use one command for each machine"
            )
        }
        let usesStream = sources.contains(.standardStream) || destination == .standardStream
        guard !usesStream || sources.count == 1 && source != destination else {
            throw VTError(.usage, "'-' cannot be combined with other files")
        }
        guard !call[inPlace] || !call[resume] else {
            throw VTError(.usage, "--in-place cannot be used with --resume")
        }
        // There would be nothing to compare the copy with.
        guard !usesStream || !call[checksum] else {
            throw VTError(.usage, "--checksum cannot be used with '-'")
        }
        let run = CopyRun(
            sources: sources.map(\.path),
            from: try CopySide(source, call),
            destination: destination.path,
            to: try CopySide(destination, call),
            options: CopyOptions(
                isRecursive: call[recursive],
                preservesAttributes: call[preserve] || call[resume],
                resumes: call[resume],
                comparesContents: call[checksum],
                createsParents: call[parents],
                writesInPlace: call[inPlace]
            ),
            parallel: call[parallel] ?? CopyRun.parallel,
            connections: call[connections]
        )
        try check(run, call)
        return run
    }

    /// Checks the sides of the copy, and that options for selecting targets apply to one of them.
    private static func check(_ run: CopyRun, _ call: Call) throws(VTError) {
        switch (run.from, run.to) {
        case (.targets, .targets):
            throw VTError(.usage, "either SOURCE or DEST can be on several targets, but not both")
        case (.targets, .stream):
            throw VTError(.usage, "files from several targets cannot be written to standard output")
        case (.targets, _): break
        case (_, .targets(let targets)):
            guard case .stream = run.from, targets.readsStandardInput else { break }
            throw VTError(.usage, "standard input cannot be both SOURCE and the list of targets")
        default:
            let options = TargetOptions.replacements + [TargetOptions.exclude, TargetOptions.limit, parallel]
            if let option = options.first(where: call.contains) {
                throw VTError(
                    .usage,
                    "--\(option.long) requires several targets",
                    hint: "use ':PATH' for SOURCE or DEST"
                )
            }
        }
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let run = try copyRun(call)
        let timeout = call[FileConnectionOptions.timeout]
        return .status(
            try await context.limited(to: timeout) { () throws(VTError) in try await run.perform(in: context) }
        )
    }
}
