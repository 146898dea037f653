extension ShellConfiguration {
    static let sh: [Self] = [
        Self("plain"),
        Self("own prompts", "PS1='a rather long prompt for so few columns$ '; PS2='more> '", size: "20x5"),
        Self("login", files: [".profile": "export FROM_PROFILE=1; PS1='profile> '\n"], arguments: ["-l"]),
        Self("prompt with substitutions", "PS1='loud \\\"quoted\\\" `echo sub` $(echo $?) \\$ '"),
        Self("rewritten prompt", "cd() { command cd \"$@\"; s=$?; PS1=\"$PWD> \"; return $s; }"),
        Self(
            "functions and aliases named like builtins",
            """
            for x in read test '[' type command local; do alias "$x=echo ALIAS"; done
            printf() { echo FUNCTION; }; read() { echo FUNCTION; }
            """,
            skipped: #"printf|test|\[|read|command"#
        ),
        Self("xtrace", "PS4='@@+ '; set -x", skipped: #"&|hidden|\||while"#, noise: "@@\\+ [^\n]*\n"),
        Self(
            "errexit, nounset, xtrace",
            "PS4='@@+ '; set -eux",
            skipped: #"\$\?|exit|&|hidden|\||while"#,
            noise: "@@\\+ [^\n]*\n",
            endsOnFailure: true
        ),
        Self("allexport, noclobber, vi mode, other locale", "set -aC -o vi; export LC_ALL=C"),
        Self("IFS, nounset", "set -u; IFS=0123456789abcdefghijklmnopqrstuvwxyz_./", skipped: #"\$|^x="#),
        Self("exported prompt", "export PS1='[\\w]$ ' PS2", environment: ["TERM": "dumb"], skipped: "^env"),
        Self("read-only prompts, traps", "readonly PS1 PS2; trap 'echo EXIT' EXIT; trap 'echo USR' USR1"),
        Self("no prompts", "unset PS1 PS2"),
    ]
}
