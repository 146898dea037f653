import Arguments
import Core
import Services

/// Lists completion candidates for a shell: `vt complete LIST [PREFIX]`.
package enum CompleteCommand: Command {
    private static let list = Operand("LIST")
    private static let prefix = Operand("PREFIX").optional()

    package static let spec = CommandSpec(
        ["complete"],
        summary: "list completion candidates for a word",
        description: ["Prints one candidate per line, and nothing for an unknown list."],
        operands: [list, prefix],
        examples: [ExampleSpec("vt complete profiles we", "list the profiles that start with 'we'")],
        exitCodes: [.system, .config],
        isHidden: true
    )

    package static var documents: [DocumentSpec] {
        [.document([String].self)]
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let (list, prefix) = (call[Self.list], call[Self.prefix] ?? "")
        let candidates =
            switch list {
            case "files": await FileCompletion(in: context).candidates(prefix)
            case "plugins":
                Plugin.all(of: context.tree, environment: context.console.environment).map(\.name).filter {
                    $0.hasPrefix(prefix)
                }
            default: try CompletionService(context.world).candidates(list, prefix: prefix)
            }
        try context.show(candidates) { candidates.map(\.sanitized).joined(separator: "\n") }
        return 0
    }
}
