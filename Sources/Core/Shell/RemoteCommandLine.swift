/// The command line with which a server's login shell runs a request, without its environment variables.
///
/// It must have the same meaning in sh, bash, dash, zsh, fish and csh, and run a program that a restricted shell (rbash)
/// allows.
package struct RemoteCommandLine {
    package let line: ByteString
    /// The commands of sh(1) that change the directory and execute the program; they are also part of the prelude.
    let start: ByteString

    /// Returns nil for a subsystem, which has no command line.
    package init?(_ request: ExecRequest) {
        let announce = request.announcement.map(ProcessAnnouncement.command) ?? ""
        let change = request.directory.map(Self.change) ?? ""
        let shell = request.shell.map { ByteString($0).shellQuoted } ?? "\"$SHELL\""
        switch request.command {
        case .arguments(let words):
            // With exec, death by signal is reported as such, and no alias or keyword interferes.
            let program = words.map(\.shellQuoted).joined(separator: " ")
            start = announce + change + "exec " + program
            line = request.directory == nil ? announce + Self.direct(program) : Self.throughShell(start)
        case .shellLine(let text):
            start = announce + change + "exec " + shell + " -c " + text.shellQuoted
            line =
                if request.directory != nil {
                    Self.throughShell(start)
                } else if request.shell == nil {
                    announce + text
                } else {
                    start.hasNewline ? Self.throughShell(start) : start
                }
        case .loginShell:
            start = "exec " + shell + " -l"
            line = start
        case .subsystem: return nil
        }
    }

    /// Returns a line that executes a program, given as quoted words.
    ///
    /// A restricted shell has no `exec`, but continues with the alternative; in all other shells, `exec` does not return.
    /// It allows no program with a slash, nor the shell that newlines require.
    private static func direct(_ program: ByteString) -> ByteString {
        if program.hasNewline { return throughShell("exec " + program) }
        let name = program.bytes.prefix { $0 != UInt8(ascii: " ") }
        let line = "exec " + program
        return name.contains(UInt8(ascii: "/")) || program.bytes.count > alternativeLimitBytes
            ? line : line + "||" + program
    }

    /// The maximum length of a program's words that are repeated.
    private static let alternativeLimitBytes = 4_000

    /// Returns a line that has sh(1) run the commands.
    ///
    /// csh cannot quote a newline, so newlines come from a variable.
    private static func throughShell(_ commands: ByteString) -> ByteString {
        let script = commands.hasNewline ? CommandPrelude.newline + CommandPrelude.inline(commands) : commands
        return "exec /bin/sh -c " + script.shellQuoted
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

extension ByteString {
    fileprivate var hasNewline: Bool { bytes.contains(UInt8(ascii: "\n")) }
}
