import Arguments
import Core
import Services
import System

/// Prints a line that makes shells report to the session in which they are started: `vt shell-init SHELL`.
package enum ShellInitCommand: Command {
    private static let shell = Operand("SHELL", parse: Shell.init(parsing:))
    private static let hook = Option.flag(
        "hook",
        summary: "print what the line loads",
        details: "Prints nothing if the shell is not in the terminal of a session that has shell integration. The text "
            + "contains the secret of the session."
    )

    package static let spec = CommandSpec(
        ["shell-init"],
        summary: "print a line that integrates shells started in a session",
        description: [
            "When vt starts a shell in a session, it adds its integration to it. A shell that is started in that shell, "
                + "such as by 'bash' or 'exec zsh', has none: while it runs, 'vt sessions exec' fails with 'busy'. This "
                + "command prints a line that adds it. Append the line to the file that SHELL reads: ~/.bashrc for bash, "
                + "~/.zshrc for zsh, ~/.config/fish/config.fish for fish, and the file named in the variable ENV for sh "
                + "(dash and busybox ash).",
            "The line does nothing outside the sessions of vt, in a shell that has the integration already, in sessions "
                + "whose program vt did not recognize as a shell, on another machine, and if vt is not on the PATH.",
        ],
        operands: [shell],
        options: [hook],
        examples: [
            ExampleSpec("vt shell-init bash >>~/.bashrc", "integrate each bash that is started in a session"),
            ExampleSpec("vt shell-init zsh >>~/.zshrc", "the same for zsh"),
        ]
    )

    private enum Shell: String, CaseIterable {
        case bash, zsh, fish, sh

        init(parsing name: String) throws(VTError) {
            guard let shell = Self(rawValue: name) else {
                let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
                throw VTError(.usage, "there is no integration for the shell '\(name)'", hint: "use one of \(names)")
            }
            self = shell
        }

        /// The line for the user's file.
        ///
        /// The hook is loaded without the shell's error output, in which `set -x` would show it.
        var line: String {
            switch self {
            case .bash:
                "if [[ $- = *i* && ${VT_SESSION-} && ! ${__vt_token+x} ]]; "
                    + "then { eval \"$(command vt shell-init bash --hook)\"; } 2>/dev/null; fi"
            case .zsh:
                "if [[ -o zle && -n ${VT_SESSION-} && -z ${__vt_eol+x} ]]; "
                    + "then { eval \"$(command vt shell-init zsh --hook)\" } 2>/dev/null; fi"
            case .fish:
                "if status is-interactive; and set -q VT_SESSION; and not functions -q __vt_print; and command -q vt; "
                    + "command vt shell-init fish --hook 2>/dev/null | source; end"
            case .sh:
                "case $-,${VT_SESSION-},${__vt_bell-}${BASH_VERSION-}${KSH_VERSION-}${ZSH_VERSION-} in *i*,?*,) "
                    + "{ eval \"$(command vt shell-init sh --hook)\"; } 2>/dev/null ;; esac"
            }
        }
    }

    package static func run(_ call: Call, in context: Context) async throws(VTError) -> ProcessExit {
        let shell = call[Self.shell]
        guard call[Self.hook] else {
            try context.output.text(shell.line)
            return 0
        }
        guard let session = context.console.environment["VT_SESSION"].flatMap({ SessionID($0) }),
            let hook = try context.world.sessions().hook(for: shell.rawValue, in: session)
        else { return 0 }
        try context.output.text(hook)
        return 0
    }
}
