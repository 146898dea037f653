/// A short sh(1) script that runs at the far end before the command, and reads from standard input what must not be on
/// the command line: environment variables, which any user of that machine could otherwise read, and command lines that
/// are too long.
///
/// It first prints an announcement on standard output, so that a different program started by the server (ForceCommand
/// of sshd_config(5)), which does not print one, never receives a secret. Then it reads one line, one byte at a time
/// (as `read` does on unseekable input), and executes the command, which receives the input after that line.
///
/// On a terminal, it first disables echo and line editing, which would show the line and truncate it at 4,095 bytes
/// (termios(3)), and makes a second announcement once the terminal is restored, before any input is sent.
package struct CommandPrelude: Sendable {
    package let script: ByteString
    /// What the script reads: a line made by `input(for:variables:)`, which may be sent after the first announcement.
    package var input: [UInt8] = []
    /// The announcements on standard output.
    package var output: AnnouncementFilter
    /// The announcements on standard error: none, unless `confirms` was set.
    package var errorOutput: AnnouncementFilter

    private let hasTerminal: Bool

    /// With `confirms`, the second announcement is always made; without a terminal, it is made on standard error, too.
    ///
    /// It shows that the command is starting, and separates the command's output from that of other programs.
    ///
    /// `nonce` is a word that cannot appear in the output by chance.
    package init(hasTerminal: Bool, confirms: Bool = false, nonce: String = RandomIdentifier.make()) {
        // The announcements are split in two, so that a shell that traces its commands does not print them as a whole.
        let begin = "printf %s%s vt-be gin-\(nonce)"
        let ready = "printf %s%s vt-re ady-\(nonce)"
        let read = "IFS= read -r _vt_"
        let run = #"eval "$_vt_""#
        let restore = #"stty "$_vt_tty_""#
        let readyErrors = "printf %s%s vt-st derr-\(nonce)"
        let marks = ["vt-begin-\(nonce)", "vt-ready-\(nonce)"]
        self.hasTerminal = hasTerminal
        output = AnnouncementFilter(hasTerminal || confirms ? marks : [marks[0]])
        errorOutput = AnnouncementFilter(confirms && !hasTerminal ? ["vt-stderr-\(nonce)"] : [])
        script =
            if hasTerminal {
                ByteString("_vt_tty_=$(stty -g)&&stty raw -echo&&\(begin)&&\(read)&&\(restore)&&\(ready)&&\(run)")
            } else if confirms {
                // The announcement on standard output is made last, so that it stays last even if both streams are
                // merged.
                ByteString("\(begin);\(read)&&{ \(readyErrors) >&2||:;}&&\(ready)&&\(run)")
            } else {
                ByteString("\(begin);\(read)&&\(run)")
            }
    }

    /// The command line that runs the script, for any login shell.
    package var line: ByteString {
        "exec /bin/sh -c " + script.shellQuoted
    }

    /// Whether the prelude has finished, so that output comes from the command.
    package var isDone: Bool { output.isDone }

    /// Whether the prelude is reading its input, or has read it.
    package var isReading: Bool { output.seen > 0 }

    /// Whether the command's own input can follow the prelude's input.
    package var acceptsInput: Bool { hasTerminal ? isDone : isReading }

    /// Returns a line that sets the variables and executes the command.
    package static func input(for command: RemoteCommandLine, variables: [EnvironmentVariable]) -> [UInt8] {
        // `read` stops at a newline, so newlines come from a variable; command substitution strips trailing newlines.
        // A program other than a login shell need not set SHELL.
        var script: ByteString = #"unset _vt_ _vt_tty_;: "${SHELL:=/bin/sh}";"#
        script = script + newline
        for variable in variables {
            let name = ByteString(variable.name)
            // Suppress the shell's warning about a missing locale; reporting it is up to the command.
            let isLocale = variable.name == "LANG" || variable.name.hasPrefix("LC_")
            let assignment = name + "=" + inline(ByteString(variable.value).shellQuoted)
            script = script + (isLocale ? "{ " + assignment + ";} 2>/dev/null" : assignment)
            script = script + ";export " + name + ";"
        }
        return (script + inline(command.start)).bytes + [UInt8(ascii: "\n")]
    }

    /// Sets the variable of `inline`.
    static let newline: ByteString = "_vt_nl_=$(echo;echo .);_vt_nl_=${_vt_nl_%.};"

    /// Returns quoted text on a single line: each newline, which is inside single quotes, is replaced by the newline
    /// variable outside the quotes.
    static func inline(_ quoted: ByteString) -> ByteString {
        guard quoted.bytes.contains(UInt8(ascii: "\n")) else { return quoted }
        let parts = quoted.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return ByteString(parts.joined(separator: Array("'\"$_vt_nl_\"'".utf8)))
    }
}
