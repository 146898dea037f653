/// The command line with which a server's login shell runs a request, without its environment variables.
///
/// It must have the same meaning in sh, bash, dash, zsh, fish and csh.
package struct RemoteCommandLine {
    package let line: ByteString
    /// The commands of sh(1) that change the directory and execute the program; they are also part of the prelude.
    let start: ByteString

    /// Returns nil for a subsystem, which has no command line.
    package init?(_ request: ExecRequest) {
        let change = request.directory.map(Self.change) ?? ""
        let shell = request.shell.map { ByteString($0).shellQuoted } ?? "\"$SHELL\""
        switch request.command {
        case .arguments(let words):
            // With exec, death by signal is reported as such, and no alias or keyword interferes.
            start = change + "exec " + words.map(\.shellQuoted).joined(separator: " ")
            line = request.directory == nil ? start : "exec /bin/sh -c " + start.shellQuoted
        case .shellLine(let text):
            start = change + "exec " + shell + " -c " + text.shellQuoted
            line =
                if request.directory != nil {
                    "exec /bin/sh -c " + start.shellQuoted
                } else {
                    request.shell == nil ? text : start
                }
        case .loginShell:
            start = "exec " + shell + " -l"
            line = start
        case .subsystem: return nil
        }
    }

    /// Returns commands that change the directory or, on failure, exit with the status for a program that cannot be
    /// executed.
    private static func change(to directory: String) -> ByteString {
        let message = "vt: cannot enter '\(directory.sanitized)': no such directory, or permission denied"
        return "cd " + path(directory) + " 2>/dev/null||{ echo " + ByteString(message).shellQuoted + " >&2;exit "
            + ByteString("\(VTError.notExecutableStatus)") + ";};"
    }

    /// Returns a word that `cd` cannot misinterpret.
    private static func path(_ directory: String) -> ByteString {
        if directory == "~" { return "\"$HOME\"" }
        if directory.hasPrefix("~/") { return "\"$HOME\"/" + ByteString(directory.dropFirst(2)).shellQuoted }
        let isPlain = directory.hasPrefix("/") || directory.hasPrefix("~")
        return ByteString(isPlain ? directory : "./" + directory).shellQuoted
    }
}
