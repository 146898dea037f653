import Arguments
import Core
import Services

/// Lists a directory: `vt ls`.
package enum FileListCommand: Command {
    private static let file = Operand(bytes: "FILE", completion: .remoteFile)
    private static let max = Option(
        "max",
        .number("NUM", in: 1...10_000_000),
        default: "10000",
        summary: "list at most this many files"
    )

    package static let spec = CommandSpec(
        ["ls"],
        summary: "list a directory on a server",
        description: [
            "Prints a table of the files in a directory on a server, sorted by name with directories first, or, with "
                + "--json, an array. Hidden files are included. If FILE is not a directory, only FILE is listed.",
            "FILE is TARGET:PATH; see 'vt help copy'.",
        ],
        operands: [file],
        options: [max] + FileConnectionOptions.options + ListOptions<DirectoryEntry>.options,
        examples: [
            ExampleSpec("vt ls web:", "list the home directory"),
            ExampleSpec("vt ls web:/srv --ids", "print the names of the files"),
            ExampleSpec("vt ls web:/var/log --sort -size_bytes --filter kind=file", "list the largest files first"),
        ],
        exitCodes: VTError.Code.ofConnections + [.io]
    )

    package static var documents: [DocumentSpec] {
        [.document([DirectoryEntry].self)]
    }

    package static func check(_ call: Call) throws(VTError) {
        _ = try FileOperand.remote(parsing: call[file])
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let file = try FileOperand.remote(parsing: call[Self.file])
        let (limit, timeout) = (call[max] ?? 10_000, call[FileConnectionOptions.timeout])
        let service = FileService(context.world)
        context.atEnd { await service.close() }
        let place = try file.place(in: context)
        let (entries, isCut) = try await context.limited(to: timeout) { () throws(VTError) in
            try await service.withFiles(of: place) { system throws(VTError) in
                try await system.entries(of: file.path, limit: limit)
            }
        }
        let list = ListOptions<DirectoryEntry>(call)
        try list.show(entries, in: context, name: { $0.name.repairedText }, table: table)
        if isCut { context.diagnostics.note("only the first \(limit) files are listed; see --max") }
        return 0
    }

    private static func table(of files: [DirectoryEntry]) -> TextTable {
        var table = TextTable(["MODE", "SIZE", "MODIFIED", "NAME"])
        for file in files {
            let attributes = file.attributes
            table.add([
                attributes.modeText,
                attributes.sizeBytes.map { "\($0)" } ?? "-",
                file.modifiedAt?.rawValue ?? "-",
                file.name.repairedText + (attributes.kind == .directory ? "/" : ""),
            ])
        }
        return table
    }
}

extension FileAttributes {
    /// The kind and the permissions as ls(1) prints them: `drwxr-x---`.
    fileprivate var modeText: String {
        let kind =
            switch kind {
            case .file: "-"
            case .directory: "d"
            case .link: "l"
            case .other: "?"
            }
        guard let mode else { return kind + "?????????" }
        var letters = Array("rwxrwxrwx")
        for bit in 0..<9 where mode & (0o400 >> UInt16(bit)) == 0 { letters[bit] = "-" }
        for (bit, index, set, unset) in [(0o4000, 2, "s", "S"), (0o2000, 5, "s", "S"), (0o1000, 8, "t", "T")]
        where mode & UInt16(bit) != 0 {
            letters[index] = Character(letters[index] == "x" ? set : unset)
        }
        return kind + String(letters)
    }
}
