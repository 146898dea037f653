# Shell integration for bash 4.4 and later.
#
# Sourced once by an interactive shell, in place of ~/.bashrc or of the login files.  It reports prompts and
# commands with marks (OSC 133 with a secret token) and runs the lines that the session's holder requests.
#
# Rules that the code below follows:
# - Functions are defined before the user's files are read, with aliases off; builtins are called by `builtin`.
# - Every entry point is written `{ f && :; } >/dev/null 2>&1`: the redirection hides what xtrace and a DEBUG trap
#   print, and the list keeps errexit and the ERR trap away while `$?` stays that of f.
# - State is kept in arrays, which bash never exports, even under allexport.

\builtin shopt -q expand_aliases && __vt_aliases=(-s) || __vt_aliases=(-u)
\builtin shopt -u expand_aliases

__vt_token=(@TOKEN@)
__vt_request=(@REQUEST@)
__vt_id=('') __vt_last_id=('') __vt_line=('') __vt_status=(0) __vt_arg=('') __vt_kept=('') __vt_xtrace=('')

# How much of the current prompt has been reported: 0 nothing, 1 mark D, 2 marks D and A.
__vt_phase=(0)
# ${ARRAY[__vt_phase]+TEXT} is TEXT if the mark is still to be printed by PS1.
__vt_need_d=([0]=x) __vt_need_a=([0]=x [1]=x)
# ${ARRAY[__vt_pending]+TEXT} is TEXT unless a request is about to run.
__vt_pending=(0) __vt_typed=([0]=x)

# The prompt is expanded without a fork, and these parts hold no token, since they are visible in `echo "$PS1"`.
# `\]\[` leaves two control characters in the mark wherever it is expanded other than by readline (${PS1@P}), which
# makes it invalid.  The outer ${__vt_token+...} keeps an exported PS1 harmless in other shells.
__vt_ps1_pre=('${__vt_token+${__vt_need_d[__vt_phase]+\[\e]133;$__vt_token\]\[;D;$?;$__vt_id\a\]}${__vt_need_a[__vt_phase]+\[\e]133;$__vt_token\]\[;A;${PWD//[%[:cntrl:]]/?}\a\]}}')
__vt_ps1_post=('${__vt_token+\[\e7\e]133;$__vt_token\]\[;B;$((__vt_phase[0]=0,1))${__vt_kept:+;1}\a\]}'
	'${__vt_token+\eD\eD\e[2A\e7\e]133;$__vt_token;B;$((__vt_phase[0]=0,0))\a}')

__vt_ps2=('${__vt_token+\[\e]133;$__vt_token\]\[;P\a\]}')
__vt_ps0=('${__vt_token+${__vt_typed[__vt_pending]+\e]133;$__vt_token;C;;\a}}')
__vt_first_hook=($'{ __vt_first && :; } >/dev/null 2>&1\n')
__vt_last_hook=('{ __vt_last || :; } 9>&2 >/dev/null 2>&1')

# The line that readline submits for a request is the short ` "${__vt_run[@]}"`: an alias cannot match it, and its
# expansion does not depend on IFS.  The request itself is evaluated at top level, where `declare` and `return` work
# as they do when typed, and apart from the rest, so that an open quote or heredoc cannot swallow __vt_end.
__vt_run=(builtin eval '{ __vt_begin "${__vt_arg-}" && : "${__vt_arg-}"; } >/dev/null 2>&1
builtin eval "$__vt_line"
{ __vt_end "$_" && :; } >/dev/null 2>&1')

__vt_mark() {
	builtin printf '\e]133;%s;%s\a' "$__vt_token" "$1" >/dev/tty
}

# Sets __vt_encoded to $1 with `%` and control characters encoded.
__vt_encode() {
	__vt_encoded=("$1")
	[[ $1 = *[%[:cntrl:]]* ]] || builtin return 0
	builtin local s=$1
	s=${s//%/%25} s=${s//$'\n'/%0A} s=${s//$'\t'/%09} s=${s//$'\e'/%1B} s=${s//$'\a'/%07}
	__vt_encoded=("${s//[[:cntrl:]]/?}")
}

# Runs before the user's PROMPT_COMMAND, so that its output does not belong to the command.
__vt_first() {
	builtin local status=$?
	((__vt_phase)) || __vt_mark "D;$status;$__vt_id"
	__vt_id=('') __vt_phase=(1) __vt_pending=(0)
	__vt_restore
	builtin return "$status"
}

# Runs after the user's PROMPT_COMMAND, which may have set another PS1.
__vt_last() {
	builtin local -
	builtin set +uxv
	__vt_encode "$PWD"
	__vt_mark "A;$__vt_encoded"
	__vt_phase=(2)
	__vt_arm
	if [[ ! -t 9 || ${PS1-} != "$__vt_ps1_pre"* ]] || ! builtin shopt -q promptvars; then
		# The prompt cannot carry the mark.
		[[ -o emacs || -o vi ]]
		__vt_mark "B;$((! $?))${__vt_kept:+;1}"
		__vt_phase=(0)
	fi
}

# Puts the hooks in place again where they are missing.
__vt_arm() {
	builtin local - editor=1 text
	builtin set +uxv
	[[ -o emacs || -o vi ]] && editor=0
	if [[ ${PROMPT_COMMAND@a} != *r* ]]; then
		text=${PROMPT_COMMAND-}
		[[ $text = "$__vt_first_hook"* ]] || PROMPT_COMMAND=$__vt_first_hook${text//"$__vt_first_hook"}
		if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)); then
			text=$PROMPT_COMMAND
			[[ $text = *$'\n'"$__vt_last_hook" ]] ||
				PROMPT_COMMAND=${text//$'\n'"$__vt_last_hook"}$'\n'$__vt_last_hook
		elif [[ ${PROMPT_COMMAND[-1]} != "$__vt_last_hook" ]]; then
			for text in "${!PROMPT_COMMAND[@]}"; do
				[[ ${PROMPT_COMMAND[text]} = "$__vt_last_hook" ]] && builtin unset "PROMPT_COMMAND[text]"
			done
			PROMPT_COMMAND+=("$__vt_last_hook")
		fi
	fi
	builtin shopt -q promptvars || builtin return
	if [[ ${PS1@a} != *r* && ${PS1-} != "$__vt_ps1_pre"*"${__vt_ps1_post[editor]}" ]]; then
		text=${PS1-} text=${text//"$__vt_ps1_pre"} text=${text//"$__vt_ps1_post"}
		PS1=$__vt_ps1_pre${text//"${__vt_ps1_post[1]}"}${__vt_ps1_post[editor]}
	fi
	[[ ${PS0-} = *"$__vt_ps0" || ${PS0@a} = *r* ]] || PS0=${PS0-}$__vt_ps0
	[[ ${PS2-} = "$__vt_ps2"* || ${PS2@a} = *r* ]] || PS2=$__vt_ps2${PS2-}
}

# Reads the request; fails if there is none or if it has been taken before.
__vt_take() {
	builtin local id= line= IFS=
	{
		builtin read -r id
		builtin read -r -d '' line
	} <"$__vt_request"
	[[ $id = +([0-9]) && $id != "$__vt_last_id" ]] || builtin return 1
	__vt_id=("$id") __vt_last_id=("$id") __vt_line=("$line") __vt_pending=(1)
	if [[ -o history ]]; then
		# With `history` on, `history -s` would replace the previous entry.
		builtin set +o history
		builtin history -s -- "$line"
		builtin set -o history
	fi
	if [[ -o xtrace ]]; then
		builtin set +x
		__vt_xtrace=(x) __vt_line=("builtin set -x"$'\n'"$line")
	fi
	__vt_shown=("$line")
}

# Bound to the key that announces a request.
__vt_key() {
	__vt_status=($?)
	[[ $1 = "${__vt_run[2]}" ]] || __vt_arg=("$1")
	if __vt_take; then
		__vt_kept=("$__vt_kept$READLINE_LINE")
		# Keeps the submitted line out of the history; __vt_restore undoes it.
		if [[ ! ${HISTCONTROL+x} ]]; then
			__vt_histcontrol=(unset)
			HISTCONTROL=ignorespace
		elif [[ ${HISTCONTROL@a} != *r* ]]; then
			__vt_histcontrol=(set "$HISTCONTROL")
			HISTCONTROL=ignorespace
		fi
		READLINE_LINE=' "${__vt_run[@]}"'
		READLINE_POINT=${#READLINE_LINE}
		# Makes a row free below, so that the submitted line cannot scroll the saved cursor position away.
		builtin printf '\eD\eD\e[2A' >/dev/tty
		__vt_bind accept-line
	else
		READLINE_LINE=$__vt_kept$READLINE_LINE
		READLINE_POINT=$((READLINE_POINT + ${#__vt_kept}))
		__vt_kept=('')
		__vt_bind '""'
	fi
}

# Does the work of __vt_key for a line that is typed where bash has no line editor.
__vt_typed() {
	__vt_status=($?)
	[[ $1 = "${__vt_run[2]}" ]] || __vt_arg=("$1")
	__vt_take
}

__vt_return() {
	builtin return "$__vt_status"
}

# Sets what follows __vt_key in the macro.
__vt_bind() {
	builtin local map
	for map in emacs vi-insert vi-command; do
		builtin bind -m "$map" "\"\\e[99;@KEY@;2~\": $1"
	done
}

# Undoes what __vt_key changed for the time between the key and the request's first command.
__vt_restore() {
	case ${__vt_histcontrol-} in
	set) HISTCONTROL=${__vt_histcontrol[1]} ;;
	unset) builtin unset -v HISTCONTROL ;;
	esac
	__vt_histcontrol=()
	[[ $__vt_xtrace ]] && builtin set -x
	__vt_xtrace=('')
}

__vt_begin() {
	# The request's line itself switches xtrace on, lest the technical commands be traced.
	__vt_xtrace=('')
	__vt_restore
	builtin printf '\e8\e[J%s\n\e]133;%s;C;%s;\a' "$__vt_shown" "$__vt_token" "$__vt_id" >/dev/tty
	builtin return "$__vt_status"
}

__vt_end() {
	builtin local status=$?
	__vt_mark "D;$status;$__vt_id"
	__vt_arg=("$1") __vt_id=('') __vt_phase=(1)
	__vt_arm
	builtin return "$status"
}

__vt_bind_keys() {
	builtin local map
	for map in emacs vi-insert vi-command; do
		builtin bind -m "$map" -x '"\e[99;@KEY@;1~": { __vt_key "$_" && :; } >/dev/null 2>&1'
		builtin bind -m "$map" '"\e[99;@KEY@~": "\e[99;@KEY@;1~\e[99;@KEY@;2~"'
	done
}

builtin shopt "$__vt_aliases" expand_aliases

if builtin shopt -q login_shell; then
	# A login shell ignores --rcfile; it was started with --posix, so that it reads $ENV instead of its own files.
	builtin set +o posix
	builtin shopt -u inherit_errexit
	[[ ${HISTFILE-} = ~/.sh_history ]] && HISTFILE=~/.bash_history
	if [[ ${__vt_env+x} ]]; then
		ENV=$__vt_env
		builtin unset -v __vt_env
	else
		builtin unset -v ENV
	fi
	[[ -r /etc/profile ]] && builtin source /etc/profile
	__vt_file=(~/.bash_profile ~/.bash_login ~/.profile)
	[[ -r $__vt_file ]] || __vt_file=("${__vt_file[@]:1}")
	[[ -r $__vt_file ]] || __vt_file=("${__vt_file[@]:1}")
else
	__vt_file=(~/.bashrc)
fi
[[ -r $__vt_file ]] && builtin source "$__vt_file"

{
	# Not earlier: the first `bind` makes readline read $INPUTRC.
	__vt_bind_keys
	__vt_phase=(1)
	__vt_arm
} >/dev/null 2>&1
