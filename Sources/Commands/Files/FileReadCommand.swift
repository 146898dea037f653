import Arguments
import Core
import Services

/// Prints files: `vt cat`.
package struct FileReadCommand: Command {
    private static let maxBytes = Option("max-bytes", .byteCount, summary: "print at most this many bytes of each file")

    package static let spec = CommandSpec(
        ["cat"],
        summary: "print files on a server",
        description: [
            "Writes the contents of the files to standard output, one after the other. " + FileOperand.explanation,
            FileOperand.patterns,
            "The server must provide the SFTP subsystem, as sshd does by default.",
        ],
        operands: [OperandSpec("FILE", .oneOrMore, completion: .remoteFile, takesBytes: true)],
        options: [maxBytes] + FileConnectionOptions.options,
        examples: [
            ExampleSpec("vt cat web:/etc/os-release", "print a file"),
            ExampleSpec("vt cat --max-bytes 64K web:app/server.log", "print the start of a file"),
        ],
        files: FileSpec.ofConnections,
        exitCodes: VTError.Code.ofConnections + [.io]
    )

    private let files: [FileOperand]
    private let limitBytes: UInt64
    private let timeout: Duration?

    package init(_ arguments: ParsedArguments) throws(VTError) {
        var files: [FileOperand] = []
        for word in arguments.byteOperands("FILE") { files.append(try FileOperand.remote(parsing: word)) }
        self.files = files
        limitBytes = try arguments[Self.maxBytes].map { UInt64(clamping: $0) } ?? .max
        timeout = try arguments[FileConnectionOptions.timeout]
    }

    package func signalHandling(on console: Console) -> SignalHandling { .cancel }

    package func run(in context: Context) async throws(VTError) -> ProcessExit {
        let service = context.fileService()
        context.atEnd { await service.close() }
        try await context.limited(to: timeout) { () throws(VTError) in try await print(in: context, with: service) }
        return 0
    }

    private func print(in context: Context, with service: FileService) async throws(VTError) {
        let output = context.queues.output()
        var rest = files[...]
        while let first = rest.first {
            let paths = rest.prefix { $0.target == first.target }.map(\.path)
            rest = rest.dropFirst(paths.count)
            let (place, limitBytes) = (try first.place(in: context), limitBytes)
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
