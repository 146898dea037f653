extension ShellConfiguration {
    static let zsh: [Self] = [
        Self("plain", "PS1='%# '"),
        Self(
            "login with ZDOTDIR",
            files: ["dot dir/.zshenv": "a=1\n", "dot dir/.zprofile": "b=2\n", "dot dir/.zshrc": "PS1=$a$b'%# '\n"],
            arguments: ["-l"],
            environment: ["ZDOTDIR": "$HOME/dot dir"]
        ),
        Self(
            "hooks that print",
            """
            precmd() { print -n PRECMD }
            preexec() { : }
            two() { print -n two }
            precmd_functions+=(two) preexec_functions+=(a); a() { : }
            """
        ),
        Self("read-only hooks", "a() { : }; typeset -r precmd_functions=(a) preexec_functions=(a)"),
        Self(
            "vi mode",
            #"""
            bindkey -v
            zle-keymap-select() { print -n "\e[2 q"; zle reset-prompt }
            zle-line-init() { zle -K vicmd; print -n "\e[6 q" }
            zle-line-finish() { print -n "\e[4 q" }
            zle -N zle-keymap-select; zle -N zle-line-init; zle -N zle-line-finish
            KEYTIMEOUT=1
            """#
        ),
        Self("vi by EDITOR", environment: ["EDITOR": "vi"]),
        Self("own keymaps", "bindkey -N mine emacs; bindkey -A mine main; bindkey -N other .safe"),
        Self(
            "own widgets",
            """
            autoload -Uz bracketed-paste-magic url-quote-magic
            zle -N bracketed-paste bracketed-paste-magic; zle -N self-insert url-quote-magic
            accept() { BUFFER="echo WIDGET"; zle .accept-line }; zle -N accept-line accept
            push() { : }; zle -N push-input push; zle -N push-line push
            """
        ),
        Self(
            "add-zle-hook-widget",
            """
            autoload -Uz add-zle-hook-widget add-zsh-hook; a() { : }; b() { : }
            add-zle-hook-widget line-init a; add-zle-hook-widget line-finish b; add-zle-hook-widget line-pre-redraw a
            add-zsh-hook precmd a; add-zsh-hook preexec b
            """
        ),
        Self(
            "rewritten prompt of two lines",
            """
            setopt promptsubst transientrprompt
            precmd() { PS1="[$((++n)) %? \\$(echo sub)]
            %# "; RPROMPT='%~ %T' }
            PS2='%_ more> '
            """,
            size: "20x5"
        ),
        Self("no end-of-line mark", "unsetopt promptsp promptcr"),
        Self("own end-of-line mark", "PROMPT_EOL_MARK='%S!%s'; setopt promptbang promptsubst"),
        Self("options of ksh, IFS, nounset", "setopt ksharrays shwordsplit; IFS='v_;t '; set -u", skipped: "read -r"),
        Self("emulation of sh", "emulate sh", skipped: "repeat|print -r"),
        Self("emulation of ksh", "emulate ksh", skipped: "repeat|print -r"),
        Self(
            "aliases of builtins",
            """
            for x in print eval set builtin unset zle bindkey setopt unsetopt sched trap emulate return local; do
              alias -- "$x=echo ALIAS-$x"
            done
            alias -g __vt_line=G unsetopt=G
            """,
            skipped: "^(eval|set|unset|print|typeset)|return|vy"
        ),
        Self(
            "functions named like builtins",
            """
            for x in print eval set unset zle bindkey setopt unsetopt sched trap test '[' read emulate source zmodload; do
              functions[$x]="command echo FUNCTION-$x"
            done
            """,
            skipped: #"^(eval|set|unset)|print -r|test|\[|read -r"#
        ),
        Self(
            "function named builtin",
            "builtin() { command echo FUNCTION }; local() { echo L }; typeset() { echo T }",
            skipped: "typeset|vy"
        ),
        Self("DEBUG and ZERR traps", "TRAPDEBUG() { vt_n=1 }; TRAPZERR() { : }"),
        Self("DEBUG trap that prints", "trap 'echo \"<DEBUG>\"' DEBUG", skipped: #"\| *sort|wait"#, noise: "<DEBUG>\n"),
        Self(
            "history options",
            """
            HISTFILE=$HOME/.hist HISTSIZE=100 SAVEHIST=100
            setopt histignorespace histignoredups histignorealldups sharehistory extendedhistory histverify
            zshaddhistory() { [[ $1 == *secret* ]] && return 1; return 0 }
            """
        ),
        Self(
            "history off, correction",
            "HISTSIZE=0; setopt incappendhistory nobanghist correct correctall autocd interactivecomments",
            skipped: "^(vt-no|-x)"
        ),
        Self(
            "noclobber, other locale",
            "export LC_ALL=C; setopt noclobber appendcreate nomultios extendedglob",
            skipped: #"\^a"#
        ),
        Self("errexit", "set -e", skipped: #"\$\?|exit|false \||nonexisten|print -r"#, endsOnFailure: true),
        Self("xtrace", "PS4='@@+ '; set -x", skipped: #"&|hidden|\|"#, noise: "@@\\+ [^\n]*\n"),
        Self(
            "errexit, nounset, xtrace",
            "PS4='@@+ '; set -eux",
            skipped: #"\$\?|exit|&|hidden|\||nonexisten|print -r"#,
            noise: "@@\\+ [^\n]*\n",
            endsOnFailure: true
        ),
        Self(
            "completion, bracketed paste off",
            #"autoload -Uz compinit; compinit -u -D; zstyle ":completion:*" menu select; unset zle_bracketed_paste"#
        ),
        Self("dumb terminal", "PS1='%# '", environment: ["TERM": "dumb"]),
    ]
}
