import Arguments
import Core

/// Prints a completion script: `vt completion SHELL`.
package enum CompletionCommand: Command {
    private enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    private static let shell = Operand(
        "SHELL",
        choices: Shell.allCases.map(\.rawValue),
        parse: ValueKind.choice("SHELL", Shell.allCases).parse
    )

    package static let spec = CommandSpec(
        ["completion"],
        summary: "print the completion script for a shell",
        description: [
            "Prints a script that completes the commands, options and operands of vt, including the names of profiles "
                + "and sessions, in bash (4 or later), zsh or fish. The packages of vt install these scripts. To load "
                + "one from a configuration file of the shell:",
            "    source <(vt completion bash)        # in ~/.bashrc",
            "    source <(vt completion zsh)         # in ~/.zshrc, after compinit",
            "    vt completion fish | source         # in ~/.config/fish/config.fish",
        ],
        operands: [shell],
        examples: [
            ExampleSpec("source <(vt completion bash)", "complete vt commands in this shell"),
            ExampleSpec("vt completion zsh >_vt", "write the script for a directory of fpath"),
        ]
    )

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let script =
            switch call[shell] {
            case .bash: BashCompletion(context.tree).script()
            case .zsh: ZshCompletion(context.tree).script()
            case .fish: FishCompletion(context.tree).script()
            }
        try context.output.bytes(Array(script.utf8))
        return 0
    }
}
