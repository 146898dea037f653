/// A shell without a hook, into which a line is typed between marks.
package enum AssumedShell: String, CaseIterable, JSONReadable, Sendable {
    case sh, bash, zsh

    /// Returns the keys that make the shell at its prompt run a line, and print a mark with this random token before and
    /// after its output: `C;ID`, and `D;STATUS;ID`.
    ///
    /// They form one line of ASCII characters that no line editor interprets, with a space at the start, which can keep
    /// it out of the history. The status of the previous command is passed on to the line, and that of the line to the
    /// next one. `command` keeps a syntax error from
    /// abandoning the rest; zsh would look for a program named `eval`.
    package func keys(for line: [UInt8], token: String, id: UInt64) -> [UInt8] {
        let eval = self == .zsh ? "eval" : "command eval"
        // A shell without a controlling terminal has no /dev/tty.
        func mark(_ payload: String) -> String {
            let printed = "printf '\\033]133;\(token);\(payload)\\007' $r"
            return "(\(printed)>/dev/tty)2>/dev/null||\(printed)>&2"
        }
        let text =
            " \(eval) \"$(r=$?;\(mark("C;\(id);"));printf '\(Self.escaped(line))';exit $r)\";"
            + "$(r=$?;\(mark("D;%s;\(id)"));exit $r)"
        // ^U deletes what has been typed.
        return Array("\u{15}\(text)\r".utf8)
    }

    /// Encodes all bytes but letters, digits and spaces for printf(1).
    private static func escaped(_ line: [UInt8]) -> String {
        line.map { byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || character == " " {
                return String(character)
            }
            return "\\" + byte.octal(digits: 3)
        }
        .joined()
    }
}
