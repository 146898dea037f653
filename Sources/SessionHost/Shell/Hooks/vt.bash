# Shell integration for bash 4.4 and later.
#
# It reports prompts and commands with marks (OSC 133 with a secret token) and runs the lines that the session's holder
# requests.  An interactive shell reads it with start.bash, or from a line in ~/.bashrc (`vt shell-init`).
#
# Rules for the code below:
# - Functions are defined with aliases off and before the user's files are read, and call builtins with `builtin`.
# - Every entry point is written `{ f && [[ x ]]; } >/dev/null 2>&1`.  The redirection hides the output of xtrace and of
#   a DEBUG trap; the list keeps errexit and the ERR trap away and its status is that of f.
# - `builtin local` and `builtin declare` split their arguments at IFS, and `set -k` takes NAME=VALUE out of them.
# - Variables that change are arrays: bash never exports them, not even under allexport.

\builtin shopt -q expand_aliases && __vt_aliases=(-s) || __vt_aliases=(-u)
\builtin shopt -u expand_aliases

__vt_secret=(@SECRET@)   # the file that begins with the token
__vt_token=('')          # the token while a prompt is displayed that contains marks
__vt_request=(@REQUEST@)
__vt_id=('')             # the request that is running
__vt_taken=('')          # the last request that began to run
__vt_ended=('')          # the last request that ended, and its status: ID;STATUS
__vt_file=('')           # the last request for the environment
__vt_kept=('')           # text that a person had typed when a request came
__vt_xtrace=('')         # not empty if xtrace has to be switched on again
__vt_trap=('')           # the ERR trap that has to be set again
__vt_arg=('')            # the value of $_ for a request
__vt_histcontrol=()      # how to restore HISTCONTROL: nothing to do, (unset), or (set VALUE)
__vt_phase=(1)           # marks printed since the last prompt: 0 none, 1 D, 2 D and A
__vt_running=(0)         # 1 from mark C, or the arrival of a request, to the next prompt
__vt_inline=(0)          # 1 while a prompt is displayed that contains marks

# ${NAME[INDEX]+TEXT} in a prompt is TEXT if the array has this element.
__vt_no_a=([0]=x [1]=x) __vt_idle=([0]=x) __vt_on=([1]=x)

# What is added to the prompts.  They name the token, which is set only while a prompt is displayed, instead of containing
# it: `set` and `echo "$PS1"` are output, and so are prompts if standard error is a file.  ${__vt_idle+...} makes them
# empty in other shells that inherit an exported PS1.  They are expanded without a fork, except at a prompt before which
# the hooks in PROMPT_COMMAND did not run, because it is read-only or has been replaced.  Where they are expanded by
# ${PS1@P}, `\]\[` leaves control characters that make the mark invalid.
__vt_ps0=('${__vt_idle+${__vt_idle[__vt_running]+${__vt_on[__vt_inline]+\e]133;$__vt_token;C;;\a}${__vt_idle[__vt_inline]+$({ __vt_fork __vt_insert "C;;" x && [[ x ]]; } 9>&2 2>/dev/null)}${__vt_none[__vt_running[0]=1+(__vt_inline[0]=__vt_token[0]=0)]-}}}')
__vt_ps1_start=('${__vt_idle+${__vt_no_a[__vt_phase]+$({ __vt_fork __vt_prompt "$?" && [[ x ]]; } 9>&2 2>/dev/null)}}')
__vt_ps1_end=('${__vt_idle+${__vt_no_a[__vt_phase]+$({ __vt_fork __vt_ready && [[ x ]]; } 9>&2 2>/dev/null)}${__vt_on[__vt_inline]+\eD\eD\e[2A\e7\e]133;$__vt_token;B;0;;@SHELL@;$$;$__vt_ended\a}${__vt_none[__vt_phase[0]=__vt_running[0]=0]-}}'
	'${__vt_idle+${__vt_no_a[__vt_phase]+$({ __vt_fork __vt_ready && [[ x ]]; } 9>&2 2>/dev/null)}${__vt_on[__vt_inline]+\[\e7\e]133;$__vt_token\]\[;B;1;${__vt_kept:+1};@SHELL@;$$;$__vt_ended\a\]}${__vt_none[__vt_phase[0]=__vt_running[0]=0]-}}')
__vt_ps2=('${__vt_idle+${__vt_on[__vt_inline]+\[\e]133;$__vt_token\]\[;P\a\]}}')

# bash-preexec splits PROMPT_COMMAND at newlines to find out that __vt_first has not been typed.
__vt_first_hook=($'{ {\n__vt_first\n} && [[ x ]]; } >/dev/null 2>&1\n')
__vt_last_hook=('{ __vt_last && [[ x ]]; } 9>&2 >/dev/null 2>&1')

# Readline submits ` "${__vt_run[@]}"` for a request: short, safe from aliases, independent of IFS.  The request is
# evaluated at top level, where `declare` and `return` mean what they mean when typed.  It has an `eval` of its own, so
# that an open quote or heredoc cannot swallow __vt_end, and shares a line with it, because bash loses its place in a
# text when a nested `eval` fails.  The last redirection fails if standard output is closed.  The empty word is for `$_`.
__vt_run=(builtin eval '\builtin eval "$__vt_line"; { __vt_note && [[ x ]]; } >/dev/null 2>&1; '\
'{ __vt_drain && [[ x ]]; } 2>/dev/null 9>&1 >/dev/null; { __vt_end && [[ x ]]; } >/dev/null 2>&1' '')

# Prints a mark.  Neither BASH_XTRACEFD nor a list of variables shows the token.
__vt_mark() {
	builtin local - secret
	builtin set +x
	IFS=' ' builtin read -r secret <"$__vt_secret"
	builtin printf '\e]133;%s;%s\a' "${secret%% *}" "$1" >/dev/tty
}

# ^C makes the terminal discard output: the next B repeats D.
__vt_mark_end() {
	[[ $__vt_id ]] && __vt_ended=("$__vt_id;$__vt_status")
	__vt_mark "D;$__vt_status;$__vt_id;$$"
}

# Runs before the user's part of PROMPT_COMMAND, the output of which does not belong to the command.
__vt_first() {
	__vt_status=("$?")
	# A function of this name, even one that calls the builtin, would make `builtin local` and `return` its own.
	unset -f builtin
	((__vt_phase)) || __vt_mark_end
	__vt_id=('') __vt_phase=(1) __vt_running=(0) __vt_inline=(0) __vt_token=('')
	__vt_restore
	if [[ ${__vt_next-} != "$__vt_taken" ]]; then
		# The request was interrupted before it began.
		__vt_next=("$__vt_taken")
		builtin printf '\e[?2026l' >/dev/tty
	fi
	# The user's part may change its own prompt, such as the start of it.
	[[ ! ${PS1-} || ${PS1@a} = *r* ]] || __vt_strip
	builtin return "$__vt_status"
}

# Runs after the user's part of PROMPT_COMMAND, which may have set other prompts.
__vt_last() {
	# Prints D if `PROMPT_COMMAND=...` has removed the other hook.
	__vt_first
	builtin local - text
	builtin set +u
	text=$PWD
	if [[ $text = *[%[:cntrl:]]* ]]; then
		text=${text//%/%25} text=${text//$'\n'/%0A} text=${text//$'\t'/%09} text=${text//$'\e'/%1B}
		text=${text//$'\a'/%07} text=${text//[[:cntrl:]]/?}
	fi
	__vt_mark "A;$text"
	__vt_phase=(2)
	if [[ ${BLE_VERSION-} ]]; then
		__vt_resign
		builtin return
	fi
	__vt_arm
	if [[ -t 9 && ${PS1-} = "$__vt_ps1_start"* && ${PS0-} = *"$__vt_ps0" ]] && builtin shopt -q promptvars; then
		builtin set +x
		IFS= builtin read -r text <"$__vt_secret"
		__vt_token=("${text%% *}") __vt_inline=(1)
	else
		# The prompt does not reach the terminal or cannot contain the mark.
		__vt_mark_ready
		__vt_phase=(0)
	fi
}

__vt_mark_ready() {
	__vt_editor
	__vt_mark "B;$?;${__vt_kept:+1};@SHELL@;$$;$__vt_ended"
}

# Runs a function in a prompt's command substitution, unless the prompt is expanded by a command: then the hooks have
# run, and are in PROMPT_COMMAND.
__vt_fork() {
	unset -f builtin
	builtin local -
	builtin set +ux
	[[ ${PROMPT_COMMAND[*]-} = *"$__vt_last_hook"* ]] || "$@"
}

# Prints D and A where the hooks did not.
__vt_prompt() {
	__vt_status=("$1")
	((__vt_phase)) || __vt_insert "D;$1;$__vt_id;$$"
	__vt_insert "A;${PWD//[%[:cntrl:]]/?}"
}

# Prints B where the hooks did not.
__vt_ready() {
	if [[ -t 9 ]]; then
		if __vt_editor; then builtin printf '\eD\eD\e[2A\e7'; else builtin printf '\1\e7\2'; fi
	fi
	__vt_editor
	__vt_insert "B;$?;${__vt_kept:+1};@SHELL@;$$;$__vt_ended"
}

# Prints a mark as a part of the prompt if that goes to the terminal.  With a second argument, or without readline, it is
# not marked as text of no width.
__vt_insert() {
	builtin local secret
	if [[ ! -t 9 ]]; then
		__vt_mark "$1"
		builtin return
	fi
	IFS= builtin read -r secret <"$__vt_secret"
	secret=${secret%% *}
	if (($# > 1)) || __vt_editor; then
		builtin printf '\e]133;%s;%s\a' "$secret" "$1"
	else
		builtin printf '\1\e]133;%s\2\1;%s\a\2' "$secret" "$1"
	fi
}

# Returns what mark B says: 1 if readline reads the line, else 0.
__vt_editor() {
	[[ ! -o emacs && ! -o vi ]]
}

# Makes __vt_last_hook the end of PROMPT_COMMAND: as an element of its own, which survives `PROMPT_COMMAND=...`; before
# bash 5.1, which runs only the first element, as a line of it.
__vt_arm_last() {
	builtin local index last tail
	tail=
	for index in "${!PROMPT_COMMAND[@]}"; do
		last=${PROMPT_COMMAND[index]}
	done
	((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)) && last=$PROMPT_COMMAND
	# bash-preexec takes any command after its last hook for a typed one.
	[[ $last = *$'\n'__bp_interactive_mode || $last = __bp_interactive_mode ]] && tail=$'\n__bp_interactive_mode'
	[[ $last = *"$__vt_last_hook$tail" ]] && builtin return
	for index in "${!PROMPT_COMMAND[@]}"; do
		last=${PROMPT_COMMAND[index]//"$__vt_last_hook"}
		PROMPT_COMMAND[index]=${last%"${tail#?}"}
	done
	if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)); then
		PROMPT_COMMAND+=$'\n'$__vt_last_hook$tail
	else
		PROMPT_COMMAND+=("$__vt_last_hook$tail")
	fi
}

# Removes the hooks.  ble.sh is a line editor of its own, which reads the keys in place of readline.
__vt_resign() {
	builtin local index
	if [[ ${PROMPT_COMMAND@a} != *r* ]]; then
		for index in "${!PROMPT_COMMAND[@]}"; do
			PROMPT_COMMAND[index]=${PROMPT_COMMAND[index]//"$__vt_first_hook"}
			PROMPT_COMMAND[index]=${PROMPT_COMMAND[index]//"$__vt_last_hook"}
		done
	fi
	[[ ${PS1@a} = *r* ]] || __vt_strip
	[[ ${PS0@a} = *r* ]] || PS0=${PS0//"$__vt_ps0"}
	[[ ${PS2@a} = *r* ]] || PS2=${PS2//"$__vt_ps2"}
	__vt_mark "X;$$"
}

# Removes what was added to the prompt.
__vt_strip() {
	PS1=${PS1-} PS1=${PS1//"$__vt_ps1_start"} PS1=${PS1//"${__vt_ps1_end[0]}"} PS1=${PS1//"${__vt_ps1_end[1]}"}
}

# Puts the hooks in place where they are missing.
__vt_arm() {
	builtin local - text
	builtin set +u
	if [[ ${PROMPT_COMMAND@a} != *r* ]]; then
		text=${PROMPT_COMMAND-}
		[[ $text = "$__vt_first_hook"* ]] || PROMPT_COMMAND=$__vt_first_hook${text//"$__vt_first_hook"}
		__vt_arm_last
	fi
	builtin shopt -q promptvars || builtin return
	__vt_editor
	text=${__vt_ps1_end[$?]}
	if [[ ${PS1@a} != *r* && ${PS1-} != "$__vt_ps1_start"*"$text" ]]; then
		__vt_strip
		PS1=$__vt_ps1_start$PS1$text
	fi
	[[ ${PS0-} = *"$__vt_ps0" || ${PS0@a} = *r* ]] || PS0=${PS0-}$__vt_ps0
	[[ ${PS2-} = "$__vt_ps2"* || ${PS2@a} = *r* ]] || PS2=$__vt_ps2${PS2-}
}

# Reads the request.  Fails if there is none or if it has run before.  Until __vt_begin, ^C only makes the holder send
# the key again.
__vt_take() {
	__vt_status=("$?") __vt_arg=("$1")
	unset -f builtin
	builtin local id line IFS
	IFS=
	# Not as standard input: if ^C comes here, readline must not read the end of this file.
	{
		builtin read -r -u 9 id
		builtin read -r -u 9 -d '' line
	} 9<"$__vt_request"
	[[ $id = +([0-9]) && $id != "$__vt_taken" ]] || builtin return 1
	__vt_next=("$id") __vt_shown=("$line") __vt_running=(1)
	# The newline keeps a backslash at the end from quoting the end of the text.
	__vt_line=($'{ __vt_begin "$__vt_arg" && [[ x ]]; } >/dev/null 2>&1\n'"$line"$'\n')
	if [[ -o history ]]; then
		# With history on, `history -s` replaces the previous entry.
		builtin set +o history
		builtin history -s -- "$line"
		builtin set -o history
	fi
	if [[ -o xtrace ]]; then
		__vt_xtrace=(x)
		builtin set +x
	fi
}

# Keeps the ERR trap, which has been written to a file.  It would run for each `eval` of a request, too, if it were set when
# that begins; it is off until __vt_begin.  A function can read and reset only its own trap, and in a list so can `eval`.
__vt_hold() {
	IFS= builtin read -r -d '' '__vt_trap[0]' <"$__vt_request.trap"
	builtin return 0
}

# Saves the environment, after changing it, for a request `env` with the path of the file.  Local variables would hide
# exported ones with the same names.
__vt_save() {
	{
		IFS= builtin read -r -u 9 '__vt_file[0]'
		IFS= builtin read -r -u 9 '__vt_file[1]'
	} 9<"$__vt_request"
	[[ $__vt_file = env ]] || builtin return 1
	# Once, even if the key has been sent again.
	builtin : >|"$__vt_request"
	[[ -r ${__vt_file[1]}.load ]] && builtin source "${__vt_file[1]}.load"
	/usr/bin/env -0 >|"${__vt_file[1]}"
	__vt_mark "E;$?"
}

# Called by the key that announces a request, with the value of `$_`.  Fails if there is no request.
__vt_key() {
	if __vt_take "$1"; then
		__vt_kept=("$__vt_kept$READLINE_LINE")
		# Keeps the submitted line out of the history.
		if [[ ! ${HISTCONTROL+x} ]]; then
			__vt_histcontrol=(unset)
			HISTCONTROL=ignorespace
		elif [[ ${HISTCONTROL@a} != *r* ]]; then
			__vt_histcontrol=(set "$HISTCONTROL")
			HISTCONTROL=ignorespace
		fi
		READLINE_LINE=' "${__vt_run[@]}"'
		READLINE_POINT=${#READLINE_LINE}
		# Two free rows below the prompt: the submitted line cannot scroll the saved cursor position away.
		# The update ends when it has been replaced: neither a terminal nor a text log shows it.
		builtin printf '\e[?2026h\eD\eD\e[2A' >/dev/tty
		__vt_bind accept-line
		builtin return 0
	fi
	if ! __vt_save; then
		READLINE_LINE=$__vt_kept$READLINE_LINE
		READLINE_POINT=$((READLINE_POINT + ${#__vt_kept}))
		__vt_kept=('')
	fi
	__vt_bind '""'
	builtin return 1
}

# Whether the next prompt can call __vt_restore.
__vt_can_hide() {
	[[ ${PROMPT_COMMAND@a} != *r* && ${PROMPT_COMMAND-} = "$__vt_first_hook"* ]]
}

__vt_return() {
	builtin return "$__vt_status"
}

# Sets what readline does after __vt_key.
__vt_bind() {
	builtin local map
	for map in emacs vi-insert vi-command; do
		builtin bind -m "$map" "\"\\e[99;@KEY@;2~\": $1"
	done
}

# Undoes what was changed for the time from the key to the first command of the request.
__vt_restore() {
	case ${__vt_histcontrol-} in
	set) HISTCONTROL=${__vt_histcontrol[1]} ;;
	unset) builtin unset -v HISTCONTROL ;;
	esac
	__vt_histcontrol=()
	[[ $__vt_trap ]] && builtin eval "\\builtin $__vt_trap"
	[[ $__vt_xtrace ]] && builtin set -x
	__vt_trap=('') __vt_xtrace=('')
}

# The first command of a request: shows its line where the submitted one was.
__vt_begin() {
	__vt_restore
	__vt_id=("$__vt_next") __vt_taken=("$__vt_next")
	__vt_inline=(0) __vt_token=('')
	builtin printf '\e8\e[J%s\n\e[?2026l' "$__vt_shown" >/dev/tty
	__vt_mark "C;$__vt_id;"
	builtin return "$__vt_status"
}

# Notes the status of a request.
__vt_note() {
	__vt_status=("$?")
	unset -f builtin
}

# Waits for a filter, such as tee after `exec > >(tee FILE)`, which may not have passed on all output yet.
__vt_drain() {
	[[ ! -p /dev/fd/9 ]] || /bin/sleep 0.1
}

# The last command of a request, unless it was interrupted.
__vt_end() {
	__vt_mark_end
	__vt_id=('') __vt_phase=(1)
	__vt_arm
	builtin return "$__vt_status"
}

__vt_start() {
	# Older versions have no PS0 and no ${NAME@a}.
	((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)) && builtin return
	builtin local map
	unset -f builtin
	if [[ ${BLE_VERSION-} ]]; then
		__vt_mark "X;$$"
		builtin return
	fi
	for map in emacs vi-insert vi-command; do
		builtin bind -m "$map" -x '"\e[99;@KEY@;1~": { __vt_key "$_" && \builtin trap -p ERR '\
'>|"$__vt_request.trap" && __vt_hold && \builtin trap - ERR && [[ x ]]; } >/dev/null 2>&1'
		builtin bind -m "$map" '"\e[99;@KEY@~": "\e[99;@KEY@;1~\e[99;@KEY@;2~"'
	done
	__vt_arm
}

builtin shopt "$__vt_aliases" expand_aliases
