import Arguments
import Core
import System

/// Writes the files generated from the source code: `vt generate DIRECTORY`.
package enum GenerateCommand: Command {
    private static let directory = Operand("DIRECTORY", completion: .directory)

    package static let spec = CommandSpec(
        ["generate"],
        summary: "generate the manual pages, completions and docs/json.md",
        description: ["Writes man/*.1, completions/* and docs/json.md in DIRECTORY. The subdirectories must exist."],
        operands: [directory],
        examples: [ExampleSpec("vt generate .", "regenerate the files in the source tree")],
        exitCodes: [.notFound, .cannotCreate],
        isHidden: true
    )

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        for file in GeneratedFile.all(of: context.tree) {
            try FileContents.overwrite("\(call[directory])/\(file.path)", with: Array(file.text.utf8))
        }
        return 0
    }
}
