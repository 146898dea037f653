import CommandLine
import Core
import Glibc

/// Writes what is rendered from the table: `vt generate DIRECTORY`.
package struct GenerateCommand: Command {
    package static let spec = CommandSpec(
        ["generate"],
        summary: "write the manual pages and the completions",
        description: ["Writes man/*.1 and completions/* below a directory that has both."],
        operands: [OperandSpec("DIRECTORY", completion: .directory)],
        examples: [ExampleSpec("vt generate .", "renew the files of the source tree")],
        exitCodes: [.notFound, .cannotCreate],
        isHidden: true
    )

    private let directory: String

    package init(_ arguments: ParsedArguments) throws(VTError) {
        directory = try arguments.operand("DIRECTORY")
    }

    package func run(in context: Context) async throws(VTError) -> UInt8 {
        for file in GeneratedFile.all(of: CommandTable.tree) {
            try write(file.text, to: "\(directory)/\(file.path)")
        }
        return 0
    }

    private func write(_ text: String, to path: String) throws(VTError) {
        let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644, fallback: .cannotCreate)
        let failure = BlockingIO.write(file.number, Array(text.utf8))
        guard failure == 0 else { throw .system(failure, "cannot write '\(path)'") }
    }
}
