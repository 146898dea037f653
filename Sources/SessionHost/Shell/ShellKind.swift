import Core

/// A shell for which there is a hook.
enum ShellKind: String {
    case bash, zsh, fish
    /// A shell that reads the file named in `ENV`, such as dash or busybox ash.
    case sh

    /// The files of the hook: those that are read at the start, and those that are needed for each line.
    ///
    /// Words between `@` are replaced: `@TOKEN@`, `@KEY@`, `@DIR@` (the directory of the files), `@REQUEST@` (the file
    /// with the line), `@RUN@` (the script that runs a line in a shell without a line editor), and `ShellLaunch.values`.
    var files: (start: [String: [UInt8]], line: [String: [UInt8]]) {
        switch self {
        case .bash: (["vt.bash": PackageResources.vt_bash], ["run.bash": PackageResources.run_bash])
        case .zsh: ([".zshenv": PackageResources.zshenv_zsh, "vt.zsh": PackageResources.vt_zsh], [:])
        case .fish: (["vt.fish": PackageResources.vt_fish], [:])
        case .sh: (["vt.sh": PackageResources.vt_sh], ["run.sh": PackageResources.run_sh])
        }
    }

    /// Quotes a path for the shell.
    func quoted(_ path: String) -> String {
        quoted(ByteString(path)).repairedText
    }

    private func quoted(_ word: ByteString) -> ByteString {
        // In fish, a backslash escapes a backslash even between single quotes.
        guard self == .fish else { return word.shellQuoted }
        let backslash = UInt8(ascii: "\\")
        return ByteString(word.bytes.flatMap { $0 == backslash ? [backslash, backslash] : [$0] }).shellQuoted
    }

    /// Returns a line that runs `line` in the shell itself, with its input from a file.
    func line(_ line: [UInt8], readingFrom path: String) -> [UInt8] {
        // In fish, a backslash before a letter has another meaning.
        let eval: ByteString = self == .fish ? "builtin eval " : "\\eval "
        return (eval + quoted(ByteString(line)) + " <" + quoted(ByteString(path))).bytes
    }
}
