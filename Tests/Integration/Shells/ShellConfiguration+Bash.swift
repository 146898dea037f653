extension ShellConfiguration {
    /// What bash-preexec does: a DEBUG trap that finds out which commands are typed.
    private static let preexec = #"""
        on= typed=
        invoke_precmd() { status=$?; }
        interactive_mode() { on=1; }
        in_prompt_command() {
            local pieces piece IFS=$'\n;'
            read -rd '' -a pieces <<<"${PROMPT_COMMAND[*]:-}"
            for piece in "${pieces[@]:-}"; do [[ ${piece# } == "$1" ]] && return 0; done
            return 1
        }
        invoke_preexec() {
            [[ ${COMP_LINE-} || ${READLINE_POINT-} || ! $on ]] && return
            on=
            in_prompt_command "$BASH_COMMAND" || typed=$(HISTTIMEFORMAT= history 1)
        }
        trap 'invoke_preexec "$_"' DEBUG
        PROMPT_COMMAND=$'invoke_precmd\n'${PROMPT_COMMAND-}
        PROMPT_COMMAND+=(interactive_mode)
        PS1='$ '
        """#

    private static let builtins =
        "printf eval set command read test declare export return shopt history bind unset source"

    static let bash: [Self] = [
        Self("plain", "PS1='$ '"),
        Self(
            "login",
            files: [".bash_profile": "PS1='login$ '\n. ~/.bashrc\n", ".bashrc": "PROMPT_COMMAND=true\n"],
            arguments: ["-l"]
        ),
        Self("vi by argument", arguments: ["-o", "vi"]),
        Self("vi mode", "set -o vi; set -o emacs; set -o vi; bind 'set enable-bracketed-paste off'"),
        Self(
            "two-line prompt with colors",
            #"PS1='\[\e[1;32m\]\u@\h\[\e[0m\]:\w\n\[\e7\e[1;60H\]\t\[\e8\]a long prompt\$ '; PS2='more> '"#,
            size: "20x5"
        ),
        Self("prompt hook that prints", #"PROMPT_COMMAND='printf "\e]0;title\a"; echo status $?; false'"#),
        Self("array of prompt hooks", "PROMPT_COMMAND=('a=1' 'b=2; false' 'echo x')"),
        Self("rewritten prompt", #"f() { PS1="$? $((++n)) \$ "; }; PROMPT_COMMAND=f"#),
        Self("extended prompt", #"PROMPT_COMMAND='PS1="($((++n % 3))) ${PS1#(?) }"'"#),
        Self("replaced prompt hooks", "f() { PROMPT_COMMAND=f; PS1='r$ '; }; PROMPT_COMMAND=f"),
        Self("read-only prompt hook", "readonly PROMPT_COMMAND='true'"),
        Self("read-only prompts", "readonly PS0='' PS1='ro $ ' PS2="),
        Self("no prompt", "unset PS1 PS2 PS0 PROMPT_COMMAND"),
        Self(
            "own PS0, options",
            #"PS0='\[\e[0m\]${x:$((n=1,0)):0}'; shopt -s nocasematch nocaseglob extglob dotglob globstar autocd"#
        ),
        Self("promptvars off", #"shopt -u promptvars; PS1='\u \$ '"#),
        Self("DEBUG trap", "set -T; shopt -s extdebug; trap 'd=$BASH_COMMAND' DEBUG RETURN"),
        Self("DEBUG trap that prints", "trap 'echo \"<DEBUG>\"' DEBUG", skipped: #"\| *sort|wait"#, noise: "<DEBUG>\n"),
        Self("ERR trap", "set -E; trap 'echo \"<ERR>\"' ERR", noise: "<ERR>\n"),
        Self("bash-preexec", preexec),
        Self(
            "own keys",
            #"""
            bind '"\C-x": kill-line' '"\C-m": accept-line' '"\e": "abc"' '"\e[": "x"'
            bind 'set keyseq-timeout 1'
            bind -x '"\C-t": true'
            """#
        ),
        Self(
            "inputrc, history off",
            "set +o history +H",
            files: [".inputrc": "set editing-mode vi\nset show-mode-in-prompt on\n\"\\C-l\": clear-screen\n"]
        ),
        Self("no line editor", "set +o emacs; set +o vi", skipped: "PS1@P"),
        Self(
            "aliases of builtins",
            "for x in \(builtins) builtin local '['; do alias \"$x=echo ALIAS $x;\"; done",
            skipped: #"^(set|declare|local|alias|unset|eval)|printf|test|\[|read|return|va |vy"#
        ),
        Self(
            "functions named like builtins",
            "for x in \(builtins) echo cd alias builtin; do\n[[ $x == @(command|declare|return|set|eval|source) ]] ||"
                + " \\eval \"function $x { command $x \\\"\\$@\\\"; }\"\ndone; local() { :; }",
            skipped: "^local"
        ),
        Self(
            "other functions named like builtins",
            "for x in printf set read test local declare return shopt history bind source builtin; do\n"
                + "eval \"function $x { echo BROKEN; }\"\ndone",
            skipped: #"printf|\bset\b|read|test|local|declare|vy|return"#
        ),
        Self("errexit", "set -e", skipped: #"\$\?|exit|false \|"#, endsOnFailure: true),
        Self("xtrace", "PS4='@@+ '; set -x", skipped: #"&|\||@P|hidden"#, noise: "@@[@+]*\\+ [^\n]*\n"),
        Self(
            "errexit, nounset, xtrace",
            "PS4='@@+ '; set -eux; PROMPT_COMMAND=('x=1' '(exit 3) || true')",
            skipped: #"\$\?|exit|&|\||@P|hidden"#,
            noise: "@@[@+]*\\+ [^\n]*\n",
            endsOnFailure: true
        ),
        Self("allexport, noclobber", "set -aC; PS1='x$ '; PROMPT_COMMAND=true", skipped: "^env"),
        Self("posix", "set -o posix", skipped: "q[?]gone"),
        Self(
            "history options",
            """
            shopt -s histappend cmdhist lithist histverify histreedit
            HISTTIMEFORMAT='%F '; PROMPT_COMMAND='history -a'; HISTCONTROL=ignoreboth:erasedups; HISTIGNORE='*'
            """
        ),
        Self("read-only history control, other locale", "readonly HISTCONTROL=ignoredups; export LC_ALL=C"),
        Self("IFS, nounset", "IFS='/_.;'; set -u", skipped: "read -r"),
        Self("dumb terminal", "PS1='$ '", environment: ["TERM": "dumb"]),
    ]
}
