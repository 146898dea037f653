import Core

/// A short sh(1) script that runs on a server before the command, and reads from standard input what cannot be part of
/// the command line: environment variables, which any user of the server could read there, and command lines that are
/// too long.
///
/// It first prints an announcement on standard output, so that a different program started by the server (ForceCommand
/// of sshd_config(5)), which does not print one, never receives a secret. Then it reads one line, byte by byte like
/// `read` on unseekable input, and executes the command, which receives the input after that line.
///
/// On a terminal, it first disables echo and line editing, which would show the line and truncate it at 4,095 bytes
/// (termios(3)), and makes a second announcement once the terminal is restored, before any input is sent.
struct CommandPrelude {
    /// The command line.
    let line: ByteString
    /// The data sent after the first announcement.
    let payload: [UInt8]

    private let marks: [[UInt8]]
    /// The number of announcements received.
    private var seen = 0
    /// Output that might be the start of an announcement.
    private var held: [UInt8] = []

    /// `nonce` is a word that cannot appear in the command's output by chance.
    init(_ request: ExecRequest, variables: [EnvironmentVariable], nonce: String) {
        // The announcement is split in two, so that a shell that traces its commands does not print it as a whole.
        let begin = "printf %s%s vt-be gin-\(nonce)"
        let read = "IFS= read -r _vt_"
        let run = #"eval "$_vt_""#
        if request.terminal == nil {
            marks = [Array("vt-begin-\(nonce)".utf8)]
            line = Self.shell("\(begin);\(read)&&\(run)")
        } else {
            marks = [Array("vt-begin-\(nonce)".utf8), Array("vt-ready-\(nonce)".utf8)]
            let restore = #"stty "$_vt_tty_""#
            let ready = "printf %s%s vt-re ady-\(nonce)"
            line = Self.shell("_vt_tty_=$(stty -g)&&stty raw -echo&&\(begin)&&\(read)&&\(restore)&&\(ready)&&\(run)")
        }
        payload = Self.script(request, variables).bytes + [UInt8(ascii: "\n")]
    }

    /// Whether the prelude has finished, so that output comes from the command.
    var isDone: Bool { seen == marks.count }

    /// Whether the prelude is reading the payload, or has read it.
    var isReading: Bool { seen > 0 }

    /// Returns the output without the announcements, and holds back bytes that might be the start of one.
    mutating func filter(_ output: [UInt8]) -> [UInt8] {
        var passed: [UInt8] = []
        held += output
        while seen < marks.count {
            guard let range = held.firstRange(of: marks[seen]) else {
                let kept = Self.overlap(of: held, with: marks[seen])
                passed += held.dropLast(kept)
                held = held.suffix(kept)
                return passed
            }
            passed += held[..<range.lowerBound]
            held = Array(held[range.upperBound...])
            seen += 1
        }
        return passed + rest()
    }

    /// Returns the output that was held back.
    mutating func rest() -> [UInt8] {
        defer { held = [] }
        return held
    }

    // MARK: - Parts

    /// Returns the number of bytes at the end of the output that might be the start of the announcement `mark`.
    private static func overlap(of output: [UInt8], with mark: [UInt8]) -> Int {
        let most = min(output.count, mark.count - 1)
        return stride(from: most, to: 0, by: -1).first { output.suffix($0).elementsEqual(mark.prefix($0)) } ?? 0
    }

    private static func shell(_ script: String) -> ByteString {
        "exec /bin/sh -c " + ByteString(script).shellQuoted
    }

    /// Returns one line for `eval` that sets the variables and executes the command.
    private static func script(_ request: ExecRequest, _ variables: [EnvironmentVariable]) -> ByteString {
        // `read` stops at a newline, so newlines come from a variable; command substitution strips trailing newlines.
        var script: ByteString = "unset _vt_ _vt_tty_;_vt_nl_=$(echo;echo .);_vt_nl_=${_vt_nl_%.};"
        for variable in variables {
            let name = ByteString(variable.name)
            // Suppress the shell's warning about a missing locale; reporting it is up to the command.
            let isLocale = variable.name == "LANG" || variable.name.hasPrefix("LC_")
            let assignment = name + "=" + inline(ByteString(variable.value).shellQuoted)
            script = script + (isLocale ? "{ " + assignment + ";} 2>/dev/null" : assignment)
            script = script + ";export " + name + ";"
        }
        return script + inline(RemoteCommandLine.start(of: request))
    }

    /// Returns quoted text on a single line: each newline, which is inside single quotes, is replaced by the variable
    /// outside them.
    private static func inline(_ quoted: ByteString) -> ByteString {
        guard quoted.bytes.contains(UInt8(ascii: "\n")) else { return quoted }
        let parts = quoted.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return ByteString(parts.joined(separator: Array("'\"$_vt_nl_\"'".utf8)))
    }
}
