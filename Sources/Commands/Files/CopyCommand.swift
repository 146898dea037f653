import Arguments
import Core
import Services

/// Copies files between machines: `vt copy`.
package struct CopyCommand: Command {
    package static let path = ["copy"]

    package static let spec = CommandSpec(
        path,
        summary: "copy files to and from servers",
        description: [
            "Copies the files SOURCE to DEST, which is a file or an existing directory. With several files, DEST is a "
                + "directory. Each is PROFILE:PATH or a path on this machine; a path with a colon is given as "
                + "'./a:b'. A server without a profile is given as USER@HOST:PATH. Relative paths on a server start in "
                + "the user's home directory, as does '~/PATH'. All of the files are on one machine. If both SOURCE "
                + "and DEST are on servers, the data passes through this machine. '-' as the only SOURCE or as DEST is standard "
                + "input or output.",
            FileOperand.patterns,
            "Each file is written to a temporary name in its directory, and appears under its name only when it is "
                + "complete; an existing file is replaced atomically if the server can do that, as OpenSSH can. The "
                + "permissions are those of SOURCE, reduced by the umask, unless --preserve is given. Holes in files "
                + "remain holes. In directories, symbolic links are copied as links, and devices, FIFOs and sockets "
                + "are reported as errors.",
            "With several files, one that cannot be copied does not stop the others, and the exit status is 1. The "
                + "server must have the SFTP subsystem, as sshd has by default.",
        ],
        operands: [
            OperandSpec("SOURCE", .oneOrMore, completion: .file),
            OperandSpec("DEST", completion: .file),
        ],
        options: [
            OptionSpec("recursive", short: "r", summary: "copy directories with their contents"),
            OptionSpec("preserve", short: "p", summary: "preserve permissions and times"),
            OptionSpec(
                "resume",
                summary: "continue an interrupted copy",
                details: "Skips files that DEST has with the same size and modification time, continues files that "
                    + "an interrupted copy with --resume has left incomplete, and leaves incomplete files for the "
                    + "next one. Implies --preserve."
            ),
        ] + FileConnectionOptions.specs,
        examples: [
            ExampleSpec("vt copy app.tar web:/srv/", "copy a file into a directory of a server"),
            ExampleSpec("vt copy -r web:/var/log/nginx .", "copy a directory from a server"),
            ExampleSpec("vt copy -r --resume photos nas:backup/", "copy a directory, in several attempts if necessary"),
        ],
        files: FileSpec.ofConnections,
        exitCodes: VTError.Code.ofConnections + [.negative, .cannotCreate, .io]
    )

    package static var documents: [DocumentSpec] {
        [.lines(CopyEvent.self)]
    }

    private let sources: [FileOperand]
    private let destination: FileOperand
    private let options: CopyOptions
    private let plan: PlanOptions

    package init(_ arguments: ParsedArguments) throws(VTError) {
        sources = arguments.operands("SOURCE").map { FileOperand(parsing: $0) }
        destination = FileOperand(parsing: try arguments.operand("DEST"))
        guard Set(sources.map(\.target)).count == 1 else {
            throw VTError(.usage, "the files to copy are on different machines", hint: "use one command for each")
        }
        let usesStream = sources.contains(.standardStream) || destination == .standardStream
        guard !usesStream || sources.count == 1 && !(sources.first == destination) else {
            throw VTError(.usage, "'-' cannot be combined with other files")
        }
        options = CopyOptions(
            isRecursive: arguments.flag("recursive"),
            preservesAttributes: arguments.flag("preserve") || arguments.flag("resume"),
            resumes: arguments.flag("resume")
        )
        plan = try FileConnectionOptions.plan(arguments)
    }

    package func signalHandling(on console: Console) -> SignalHandling { .cancel }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        guard let first = sources.first else { throw VTError(.internal, "a copy has no source") }
        let service = context.fileService()
        context.atEnd { await service.close() }
        let report = CopyReport(context)
        let (options, sources, path) = (options, sources.map(\.path), destination.path)
        let clock = context.dependencies.clock
        if destination == .standardStream {
            let (output, place) = (context.queues.output(), try first.place(options: plan, in: context))
            try await service.withFiles(of: place) { files throws(VTError) in
                for file in try await files.files(matching: first.path) { try await files.read(file, to: output) }
            }
            return 0
        }
        let input = first == .standardStream ? context.console.input.source() : nil
        let from = try first.place(options: plan, in: context)
        let to = try destination.place(options: plan, in: context)
        try await service.withFiles(of: from) { source throws(VTError) in
            try await service.withFiles(of: to) { destination throws(VTError) in
                let copy = TreeCopy(from: source, to: destination, options: options, observer: report, clock: clock)
                if let input { return try await copy.copy(input, to: path) }
                var files: [ByteString] = []
                // A shell has expanded the patterns of this machine.
                for path in sources { files += first.target == nil ? [path] : try await source.files(matching: path) }
                try await copy.copy(files, to: path)
            }
        }
        return .status(try report.finish())
    }
}
