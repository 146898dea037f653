import Arguments
import Core
import Services

/// Prints files: `vt cat`.
package enum FileReadCommand: Command {
    private static let files = Operand(bytes: "FILE", completion: .remoteFile).list(.oneOrMore)
    private static let maxBytes = Option("max-bytes", .byteCount, summary: "print at most this many bytes of each file")

    package static let spec = CommandSpec(
        ["cat"],
        summary: "print files on a server",
        description: [
            "Writes the contents of files on a server to standard output, one after the other. FILE is TARGET:PATH, "
                + "where PATH can be a pattern; see 'vt help copy'."
        ],
        operands: [files],
        options: [maxBytes] + FileConnectionOptions.options,
        examples: [
            ExampleSpec("vt cat web:/etc/os-release", "print a file"),
            ExampleSpec("vt cat --max-bytes 64K web:app/server.log", "print the start of a file"),
        ],
        exitCodes: VTError.Code.ofConnections + [.io]
    )

    package static func check(_ call: Call) throws(VTError) {
        _ = try call[files].map(FileOperand.remote(parsing:))
    }

    package static func signalHandling(of call: Call, on console: Console) -> SignalHandling { .cancel }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let files = try call[Self.files].map(FileOperand.remote(parsing:))
        let limitBytes = call[maxBytes].map { UInt64(clamping: $0) } ?? .max
        let service = FileService(context.world)
        context.atEnd { await service.close() }
        try await context.limited(to: call[FileConnectionOptions.timeout]) { () throws(VTError) in
            try await print(files, limitBytes: limitBytes, in: context, with: service)
        }
        return 0
    }

    private static func print(
        _ files: [FileOperand],
        limitBytes: UInt64,
        in context: Context,
        with service: FileService
    ) async throws(VTError) {
        let output = context.queues.output()
        var rest = files[...]
        while let first = rest.first {
            let paths = rest.prefix { $0.target == first.target }.map(\.path)
            rest = rest.dropFirst(paths.count)
            let place = try first.place(in: context)
            try await service.withFiles(of: place) { system throws(VTError) in
                for path in paths {
                    for file in try await system.files(matching: path) {
                        try await system.read(file, limitBytes: limitBytes, to: output)
                    }
                }
            }
        }
    }
}
