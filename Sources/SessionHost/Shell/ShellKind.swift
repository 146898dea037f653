import Core

/// A shell for which there is a hook.
enum ShellKind: String {
    case bash, zsh, fish
    /// A shell that reads the file named in `ENV`, such as dash or busybox ash.
    case sh

    /// The name of the file that a shell reads when vt starts it.
    var startName: String {
        switch self {
        case .bash: "vt.bash"
        case .zsh: ".zshenv"
        case .fish: "vt.fish"
        case .sh: "vt.sh"
        }
    }

    /// The file that a shell reads when vt starts it.
    ///
    /// Words between `@` are replaced: `@TOKEN@`, `@KEY@`, `@SECRET@` (a file that begins with the token),
    /// `@REQUEST@` (the file with the line), `@SHELL@` (the kind of the shell and a random identifier), and
    /// `ShellLaunch.values`.
    func start(_ values: [String: String]) -> String {
        switch self {
        case .bash: Self.filled(PackageResources.vt_bash + PackageResources.start_bash, values)
        case .zsh: Self.filled(PackageResources.zshenv_zsh, values.merging(["LOAD": hook(values)]) { $1 })
        case .fish: hook(values)
        case .sh: hook(values) + Self.filled(PackageResources.start_sh, values)
        }
    }

    /// The text that loads the hook into a shell that vt has not started.
    func hook(_ values: [String: String]) -> String {
        switch self {
        case .bash: Self.filled(PackageResources.vt_bash, values) + "{ __vt_start && [[ x ]]; } >/dev/null 2>&1\n"
        case .zsh:
            Self.filled(
                PackageResources.load_zsh,
                ["HOOK": quoted(Self.filled(PackageResources.vt_zsh, values))]
            )
        case .fish: Self.filled(PackageResources.vt_fish, values)
        case .sh: Self.filled(PackageResources.vt_sh, values)
        }
    }

    private static func filled(_ template: [UInt8], _ values: [String: String]) -> String {
        var text = String(decoding: template, as: UTF8.self)
        for (name, value) in values { text = text.replacing("@\(name)@", with: value) }
        return text
    }

    /// The script that runs a line in a shell without a line editor.
    var run: [UInt8]? {
        switch self {
        case .bash: PackageResources.run_bash
        case .sh: PackageResources.run_sh
        case .zsh, .fish: nil
        }
    }

    /// Quotes a path for the shell.
    func quoted(_ path: String) -> String {
        ByteString(path).shellQuoted.repairedText
    }

    /// Returns a line that runs `line` in the shell itself, with its input from a file.
    func line(_ line: [UInt8], readingFrom path: String) -> [UInt8] {
        // In fish, a backslash before a letter has another meaning.
        let eval: ByteString = self == .fish ? "builtin eval " : "\\eval "
        return (eval + ByteString(line).shellQuoted + " <" + ByteString(path).shellQuoted).bytes
    }
}
