extension ShellConfiguration {
    static let fish: [Self] = [
        Self("plain"),
        Self(
            "login",
            files: [".config/fish/config.fish": "status is-login; and set -g from login\n"],
            arguments: ["--login"]
        ),
        Self(
            "own configuration directory",
            files: ["other/fish/config.fish": "function fish_prompt; echo 'other> '; end\n"],
            environment: ["XDG_CONFIG_HOME": "$HOME/other"]
        ),
        Self("vi mode", "fish_vi_key_bindings\nfunction fish_mode_prompt; echo \"[$fish_bind_mode] \"; end"),
        Self(
            "own prompts",
            """
            function fish_prompt; set -l s $status; echo first line; echo "$s> "; return 3; end
            function fish_right_prompt; date; false; end
            function fish_title; echo title $argv; false; end
            """,
            size: "20x5"
        ),
        Self("empty prompt", "function fish_prompt; end\nfunction fish_greeting; end"),
        Self(
            "rewritten prompt",
            #"""
            function fish_prompt
              set -g n (math $n + 1)
              eval "function fish_prompt; set -g n (math \$n + 1); printf \"$n> \"; end"
              printf "$n> "
            end
            """#
        ),
        Self(
            "hooks",
            """
            function a --on-event fish_preexec; false; end
            function b --on-event fish_postexec; false; end
            function c --on-event fish_prompt; false; end
            function d --on-variable PWD; false; end
            """
        ),
        Self(
            "functions named like builtins",
            "for x in printf count bind commandline functions contains emit cd history\n"
                + "eval \"function $x; echo FUNCTION; return 9; end\"\nend",
            skipped: "printf|count|cd|seq|grep|vt-no|-x y",
            noise: "FUNCTION\n"
        ),
        Self(
            "abbreviations",
            "for x in echo false set eval 0 if; abbr -a $x nothing; end; abbr -a true -- echo expanded"
        ),
        Self(
            "own keys",
            """
            bind \\r "commandline -f repaint"; bind \\e "commandline -f cancel"; set -g fish_escape_delay_ms 10
            function fish_user_key_bindings; bind --erase --all; bind x "commandline -i y"; end
            """
        ),
        Self(
            "variables, private mode, other locale",
            """
            for x in last id text before mode line; set -g $x 9; end
            set -g IFS ''; set -g fish_private_mode 1; set -g fish_history ''; set -gx LC_ALL C
            """
        ),
        Self("dumb terminal", "", environment: ["TERM": "dumb"]),
    ]
}
