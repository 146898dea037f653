# Shell integration for dash and busybox ash, read with start.sh through $ENV, or
# from a line in the user's file for $ENV (`vt shell-init`).
#
# These shells have no hooks: the marks are printed by the expansions of PS1 and
# PS2. User-defined aliases and functions must not be called in place of
# builtins. Command words are therefore quoted, and only special builtins, which
# functions cannot replace, are used outside of command substitutions; in these,
# the functions are unset first. Groups with 2>/dev/null hide the trace of
# `set -x`.

{
	case $- in (*a*) \set +a; __vt_options='\set -a' ;; (*) __vt_options=: ;; esac

	__vt_nl='
'
	__vt_empty=
	__vt_id=0   # of the request that is being evaluated, or 0
	__vt_last=0 # ID taken
	__vt_done=  # status of the request, once it has ended
	__vt_bell=$(\unset -f printf; \printf '\007')

	# Save the position where the line of a request is to be displayed, with a
	# free row below it: the newline after the typed line must not scroll.
	case ${TERM-dumb} in
	(dumb) __vt_save= ;;
	(*) __vt_save=$(\unset -f printf; \printf '\033D\033[A\0337') ;;
	esac

	# busybox must not count the marks as text. dash, which has no RANDOM, has no
	# line editor either: nothing else in its output is an escape sequence, so the
	# typed line stays visible there.
	case ${RANDOM-} in
	('') __vt_save= __vt_open= __vt_close= ;;
	(?*) __vt_open='\[' __vt_close='\]' ;;
	esac

	# A child shell that inherits an exported PS1 must print nothing: there the
	# variables are unset. D and A are printed by a command, because busybox
	# prints the text of the prompt again when it redraws the line. The command
	# writes "*0", unless ^C stops it, so that __vt_id becomes 0. The expansion
	# yields nothing. The token is in no variable, because `set` is output.
	__vt_begin='${__vt_done+${__vt_empty#$((__vt_id*=1$({ __vt_prompt "$?"; } 2>/dev/null)))}}'
	__vt_end='${__vt_done+$({ __vt_ready; } 5>&2 2>/dev/null)}'
	__vt_more='${__vt_done+$({ __vt_insert P; } 5>&2 2>/dev/null)}'

	# `command` keeps an error in a file or request from abandoning its caller.
	# It must not be used if it is a function, nor in busybox and in dash before
	# 0.5.11: there an error in a child process returns to the child's copy of
	# the caller.
	__vt_guard=$(\unset -f command printf; \command eval '(\: "${__vt_unset?}")'; \printf x) || \:

	# Writes text that contains "builtin" if `command` can be used.
	__vt_type() {
		\unset -f printf type
		case $__vt_guard in (x) \type command ;; (*) \printf '%s\n' no ;; esac
	}

	__vt_prompt() {
		\unset -f printf
		LC_ALL=C
		# ^C after the end of a request has changed $?.
		case $__vt_id in (0) ;; (*) \set -- "${__vt_done:-$1}" ;; esac
		__vt_encode "${PWD-}" %25 %0A %09 %1B %07
		\printf '\033]133;@TOKEN@;%s\007' "D;$1;${__vt_id#0};$$" "A;$__vt_out" >/dev/tty
		\printf '*0'
	}

	# Prints B as the end of the prompt. It repeats D, because ^C makes the
	# terminal discard output.
	__vt_ready() {
		__vt_insert "B;0;;@SHELL@;$$;$__vt_last;$__vt_done" "$__vt_save"
	}

	# Prints the mark $1 after $2, as a part of the prompt, or the mark beside it
	# if the prompt does not go to the terminal. The prompt is written to standard
	# error, which is 5, or, by some versions of busybox, to standard output.
	__vt_insert() {
		\unset -f printf test
		if \test -t 5 && \test -c "/proc/$$/fd/1"; then
			\printf '%s\033]133;@TOKEN@;%s\007%s' "$__vt_open${2-}" "$1" "$__vt_close"
		else
			\printf '\033]133;@TOKEN@;%s\007' "$1" >/dev/tty
		fi
	}

	# Replaces `%` and control characters in $1 and sets __vt_out. The other
	# arguments replace `%`, newline, tab, escape, and bell.
	__vt_encode() {
		__vt_x=$1 __vt_out= __vt_control=$(\printf '\t\033\007')
		while \:; do
			case $__vt_x in (*[%[:cntrl:]]*) ;; (*) \break ;; esac
			__vt_out=$__vt_out${__vt_x%%[%[:cntrl:]]*}
			__vt_x=${__vt_x#"${__vt_x%%[%[:cntrl:]]*}"}
			case $__vt_x in
			(%*) __vt_out=$__vt_out$2 ;;
			("$__vt_nl"*) __vt_out=$__vt_out$3 ;;
			("${__vt_control%??}"*) __vt_out=$__vt_out$4 ;;
			("${__vt_control#??}"*) __vt_out=$__vt_out$6 ;;
			(["$__vt_control"]*) __vt_out=$__vt_out$5 ;;
			(*) __vt_out=$__vt_out? ;;
			esac
			__vt_x=${__vt_x#?}
		done
		__vt_out=$__vt_out$__vt_x
	}

	# Puts the marks into the prompts. Text before and after the marks is kept,
	# for example after PS1="(venv) $PS1".
	__vt_arm() {
		case ${PS1-} in
		("$__vt_begin"*"$__vt_end") ;;
		(*)
			case ${PS1-} in (*"$__vt_begin"*) PS1=${PS1%%"$__vt_begin"*}${PS1#*"$__vt_begin"} ;; esac
			case ${PS1-} in (*"$__vt_end"*) PS1=${PS1%%"$__vt_end"*}${PS1#*"$__vt_end"} ;; esac
			PS1=$__vt_begin${PS1-}$__vt_end
			;;
		esac
		case ${PS2-} in (*"$__vt_more"*) ;; (*) PS2=$__vt_more${PS2-} ;; esac
	}

	# Calls a function without `set -a`, so that its variables are not exported.
	__vt_call() {
		case $- in (*a*) \set +a; "$@"; \set -a ;; (*) "$@" ;; esac
	}

	__vt_status() {
		\return "$1"
	}

	# Reads a request. Writes the output of __vt_type, the ID, the text to display
	# and a bell, the line, and a dot, which protects newlines at the end. Writes
	# nothing if there is no new request.
	__vt_read() {
		\unset -f printf read
		LC_ALL=C IFS= __vt_text=
		\read -r __vt_id || \return 0
		case $__vt_id in ("$__vt_last" | '' | *[!0-9]*) \return 0 ;; esac
		__vt_type
		while \read -r __vt_in; do
			__vt_text=$__vt_text$__vt_in$__vt_nl __vt_in=
			case ${#__vt_text} in (????*) \break ;; esac
		done
		__vt_text=$__vt_text$__vt_in
		__vt_encode "$(\printf %.1024s "$__vt_text")" % "$__vt_nl" '?' '?' '?'
		\printf '%s\n%s\007%s' "$__vt_id" "$__vt_out" "$__vt_text"
		while \read -r __vt_in; do \printf '%s\n' "$__vt_in"; done
		\printf '%s.' "$__vt_in"
	}

	# Displays the line $1 and prints C.
	__vt_start() {
		\unset -f printf
		case $__vt_save in (?*) \printf '\0338\033[J' ;; esac
		\printf '%s\n\033]133;@TOKEN@;C;%s;\007' "$1" "$__vt_id"
	}

	# Takes a request: sets __vt_x to the text to evaluate. It begins with the
	# status that the line sees in `$?` and the options that are off meanwhile;
	# without a request there is no more to it. `&&` keeps `set -e` from ending
	# the shell. ^C can end this anywhere: a request with an ID is taken, and the
	# prompt reports its end; one without can be taken again.
	__vt_take() {
		case $- in (*a*) \set +a; __vt_x='\set -a;' ;; (*) __vt_x= ;; esac
		case $- in (*x*) \set +x; __vt_x="$__vt_x\\set -x;" ;; esac
		__vt_x="{ ${__vt_x}__vt_status $1 && \\:; } 2>/dev/null"
		__vt_in=$(__vt_read <@REQUEST@) || \:
		__vt_kind=${__vt_in%%"$__vt_nl"*}
		case $__vt_in in
		(?*)
			__vt_in=${__vt_in#*"$__vt_nl"} __vt_done=
			\unset __vt_id # under `set -a`, the assignment in PS1 exports it
			__vt_id=${__vt_in%%"$__vt_nl"*}
			__vt_last=$__vt_id
			__vt_in=${__vt_in#*"$__vt_nl"}
			(__vt_start "${__vt_in%%"$__vt_bell"*}" >/dev/tty) || \:
			__vt_x=$__vt_x$__vt_nl${__vt_in#*"$__vt_bell"}
			__vt_x=${__vt_x%.}
			__vt_in=
			;;
		esac
	}

	# Keeps the status of a request and restores the prompts.
	__vt_finish() {
		__vt_done=$1
		__vt_arm
	}

	__vt_arm
	\eval "$__vt_options"
} 2>/dev/null
