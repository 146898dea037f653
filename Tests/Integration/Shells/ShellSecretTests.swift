import Foundation
import TestSupport
import Testing

/// The token that makes marks count is only written to the terminal, as part of marks.
@Suite(.crowded)
struct ShellSecretTests {
    private let vt: Vt

    init() throws {
        vt = try Vt()
    }

    /// A way in which the shell's own text can reach a file or the output.
    struct Leak: Sendable, CustomTestStringConvertible {
        let shell: TestShell
        /// Lines for the shell; `F` is a file.
        let lines: [String]

        var testDescription: String { "\(shell.testDescription): \(lines.joined(separator: "; "))" }
    }

    static let leaks = TestShell.all.flatMap { shell in
        lines(of: shell.family).map { Leak(shell: shell, lines: $0) }
    }

    @Test(arguments: leaks)
    func `the token is not written to files or the output`(_ leak: Leak) async throws {
        try await leak.shell.start("s", with: vt)
        try await vt.check("sessions", "wait", "s", "--prompt")
        let secret = try vt.shellToken()
        for isTyped in [false, true] {
            let file = "\(vt.home)/f\(isTyped)"
            for line in leak.lines.map({ $0.replacing("F", with: file) }) + ["echo next", ":", "cd /tmp; cd"] {
                if isTyped {
                    let send = ["sessions", "send", "s", line, "--enter", "--wait", "prompt", "--timeout", "20s"]
                    let result = try await vt.call(send).run()
                    #expect(result.exit != 124, "\(line): \(result.errorText)")
                } else {
                    let result = try await vt.run("sessions", "exec", "s", "--wait", "60s", "--", line)
                    #expect(result.exit != 255, "\(line): \(result.errorText)")
                }
            }
            let contents = (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
            let text = String(decoding: contents, as: UTF8.self)
            #expect(!text.contains(secret), "\(isTyped): \(text)")
            let undone = try await vt.run("sessions", "exec", "s", "--wait", "20s", Self.undo(leak.shell.family))
            #expect(undone.exit == 0, "\(isTyped): \(undone.errorText)")
        }
        let log = try await vt.run("sessions", "logs", "s")
        #expect(!log.text.contains(secret), "\(log.text)")
        let last = try await vt.run("sessions", "exec", "s", "sh -c 'echo end; exit 3'")
        #expect(last.text.hasSuffix("end\n") && last.exit == 3, "\(last.text)")
    }

    /// Directs the shell's streams to the terminal again, and switches traces off.
    private static func undo(_ family: TestShell.Family) -> String {
        family == .fish ? "set -e fish_trace; true" : "exec >/dev/tty 2>&1; { set +x; set +v; } 2>/dev/null; PS4='+ '"
    }

    private static func lines(of family: TestShell.Family) -> [[String]] {
        let streams = [
            ["exec 2>F"], ["exec >F"], ["exec >F 2>&1"], ["exec 2>&1 >F"], ["exec 2>F", "set -x"], ["set -x"],
            ["exec 2>F", "set -v"], ["set -v"], ["exec 2>F >&2", "PS4=\"$PS1\"", "set -x"],
        ]
        let lists = [["set"], ["env"], ["export -p"], ["alias"], ["trap"], ["echo \"$PS1$PS2$PS4$PS0\""]]
        let child = [["export PS1 PS2", "sh -ic : >F 2>&1 </dev/null", "script -qc 'sh -ic :' F </dev/null"]]
        return switch family {
        case .bash:
            streams + lists + child + [
                ["exec > >(tee F) 2>&1"], ["exec 7>F", "BASH_XTRACEFD=7", "set -x"],
                ["readonly PROMPT_COMMAND", "exec 2>F"],
                ["unset PROMPT_COMMAND", "exec 2>F"], ["PROMPT_COMMAND=(:)", "exec 2>F", "PROMPT_COMMAND=(:)"],
                ["readonly PS0 PS1", "exec 2>F"], ["shopt -u promptvars", "exec 2>F", "shopt -s promptvars"],
                ["declare -p"], ["declare -f"], ["history; fc -l"], ["bind -X; bind -S; bind -p"],
                ["compgen -v; compgen -A arrayvar"],
                ["echo \"${PS1@P}${PS2@P}${PS0@P}\" >F"], ["set -a", "set", "env"],
                ["set -o posix; set; set +o posix"],
                ["for x in ${!__vt_*}; do declare -n y=$x; echo \"${y[@]}\"; done"],
            ]
        case .zsh:
            streams + lists + child + [
                ["exec > >(tee F) 2>&1"], ["print -r -- $PROMPT_EOL_MARK"], ["print -P -- $PROMPT_EOL_MARK >F"],
                ["typeset"],
                ["typeset -p"], ["functions"], ["history; fc -l"], ["bindkey; zle -l; sched"],
                ["typeset -p PROMPT_EOL_MARK PS1"],
                ["print -r -- $functions $parameters ${(kv)functions}"], ["trap 'typeset >>F' DEBUG", "trap - DEBUG"],
                ["setopt promptsubst", "exec 2>F"],
                ["for x in ${(k)parameters[(I)__vt_*]}; do print -r -- ${(P)x}; done"],
            ]
        case .fish:
            [
                ["set"], ["set -S"], ["env"], ["functions -a"], ["functions (functions -a)"], ["history"],
                ["set -g fish_trace 1"],
                ["set -g fish_trace all"], ["bind"], ["set --show >F"], ["fish_prompt >F"], ["abbr"],
                ["echo $$(set -n | string match '__vt*')"],
            ]
        case .sh: streams + lists + child + [["type __vt_prompt; command -V __vt_start"], ["set -a", "set", "env"]]
        }
    }
}

extension Vt {
    /// The token of the hook of the only session.
    func shellToken() throws -> String {
        let files = FileManager.default.enumerator(atPath: stateHome)?.compactMap { $0 as? String } ?? []
        let path = try #require(files.first { $0.hasSuffix("/shell/key") })
        let key = try String(contentsOfFile: "\(stateHome)/\(path)", encoding: .utf8)
        return String(try #require(key.split(separator: " ").first))
    }
}
