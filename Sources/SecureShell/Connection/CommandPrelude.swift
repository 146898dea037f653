import Core

/// A small program for sh(1) that runs on a server before the command and reads from its input what must not stand in
/// the command line: variables, which every user of the server could read there, and command lines beyond its limit.
///
/// It announces itself on its output, so that a program that the server runs in its place (ForceCommand of
/// sshd_config(5)) never gets a secret as its input. Then it reads one line, byte by byte as `read` does on all that
/// cannot seek, and becomes the command, which gets the input from the next byte on.
///
/// With a terminal it first turns off echo and line editing, which would show the line and cut it at 4,095 bytes
/// (termios(3)), and announces itself again when the terminal is as it was, before anything is typed.
struct CommandPrelude {
    /// The command line.
    let line: ByteString
    /// What is sent after the first announcement.
    let payload: [UInt8]

    private let marks: [[UInt8]]
    /// How many announcements have come.
    private var seen = 0
    /// Output that may be the beginning of an announcement.
    private var held: [UInt8] = []

    /// `nonce` is a word that the command's output does not hold by chance.
    init(_ request: ExecRequest, variables: [EnvironmentVariable], nonce: String) {
        // In two parts, so that a shell that shows its commands announces nothing.
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

    /// Whether the prelude has run, and the output is the command's.
    var isDone: Bool { seen == marks.count }

    /// Whether the prelude reads the payload now, or has.
    var isReading: Bool { seen > 0 }

    /// Takes output and returns it without what is the prelude's, as far as that can be told yet.
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

    /// Gives up what was held back.
    mutating func rest() -> [UInt8] {
        defer { held = [] }
        return held
    }

    // MARK: -

    /// How many bytes at the end of the output could begin the mark.
    private static func overlap(of output: [UInt8], with mark: [UInt8]) -> Int {
        let most = min(output.count, mark.count - 1)
        return stride(from: most, to: 0, by: -1).first { output.suffix($0).elementsEqual(mark.prefix($0)) } ?? 0
    }

    private static func shell(_ script: String) -> ByteString {
        "exec /bin/sh -c " + ByteString(script).shellQuoted
    }

    /// One line for `eval` that sets the variables and becomes the command.
    private static func script(_ request: ExecRequest, _ variables: [EnvironmentVariable]) -> ByteString {
        // `read` ends at a newline, so these come from a variable; a substitution takes newlines off its end.
        var script: ByteString = "unset _vt_ _vt_tty_;_vt_nl_=$(echo;echo .);_vt_nl_=${_vt_nl_%.};"
        for variable in variables {
            let name = ByteString(variable.name)
            // A shell warns of a locale that it does not have; that is for the command to do.
            let isLocale = variable.name == "LANG" || variable.name.hasPrefix("LC_")
            let assignment = name + "=" + inline(ByteString(variable.value).shellQuoted)
            script = script + (isLocale ? "{ " + assignment + ";} 2>/dev/null" : assignment)
            script = script + ";export " + name + ";"
        }
        return script + inline(RemoteCommandLine.start(of: request))
    }

    /// Quoted text on one line: each newline, which stands in single quotes, closes them and opens them again.
    private static func inline(_ quoted: ByteString) -> ByteString {
        guard quoted.bytes.contains(UInt8(ascii: "\n")) else { return quoted }
        let parts = quoted.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return ByteString(parts.joined(separator: Array("'\"$_vt_nl_\"'".utf8)))
    }
}
