# Shell integration for dash and busybox ash, read through $ENV.
#
# These shells have no hooks: the marks are in PS1 and PS2, which are expanded
# at each prompt. The command words are quoted and the functions that replace
# builtins are unset in command substitutions, because the user's aliases and
# functions are defined before (login shells) or after this file is read. Only
# special builtins, which functions cannot replace, are used outside them.

{
	ENV=@USER_ENV@
	case $- in (*a*) \set +a; __vt_a='\set -a' ;; (*) __vt_a=: ;; esac

	__vt_nl='
'
	__vt_id=0
	__vt_last=0
	__vt_empty= __vt_kind=
	__vt_mark=$(\unset -f printf; \printf '\033]133;@TOKEN@;')
	__vt_bel=$(\unset -f printf; \printf '\007')

	# Leave a free row below the prompt and save the position where the command is
	# to be displayed: the newline that ends the typed line must not scroll.
	case ${TERM-dumb} in
	(dumb) __vt_save= ;;
	(*) __vt_save=$(\unset -f printf; \printf '\033D\033[A\0337') ;;
	esac

	# busybox must not count the marks as text. dash has no RANDOM.
	case ${RANDOM-} in
	('') ;;
	(*) __vt_mark=\\[$__vt_mark __vt_bel=$__vt_bel\\] __vt_save=${__vt_save:+\\[$__vt_save\\]} ;;
	esac

	# The text is empty where __vt_mark is unset, as in a child shell that inherits
	# an exported PS1. The number of the request is reset by an expansion that
	# yields nothing. There is no way to encode PWD here: one that needs it is left
	# out (the backslash, too, since busybox interprets it).
	__vt_begin='${__vt_mark:+${__vt_mark}D;$?;${__vt_id#0}${__vt_bel}${__vt_mark}A;${PWD+${PWD##*[%\\[:cntrl:]]*}}${__vt_bel}${__vt_empty#$((__vt_id=0))}}'
	__vt_end='${__vt_mark:+${__vt_save}${__vt_mark}B;0${__vt_bel}}'
	__vt_more='${__vt_mark:+${__vt_mark}P${__vt_bel}}'

	# Puts the marks into the prompts and returns its argument. What surrounds or
	# follows the marks is kept, for example after PS1="(venv) $PS1".
	__vt_arm() {
		case $- in (*a*) \set +a; __vt_arm 0; \set -a; \return "$1" ;; esac
		case ${PS1-} in
		("$__vt_begin"*"$__vt_end") ;;
		(*)
			case ${PS1-} in (*"$__vt_begin"*) PS1=${PS1%%"$__vt_begin"*}${PS1#*"$__vt_begin"} ;; esac
			case ${PS1-} in (*"$__vt_end"*) PS1=${PS1%%"$__vt_end"*}${PS1#*"$__vt_end"} ;; esac
			PS1=$__vt_begin${PS1-}$__vt_end
			;;
		esac
		case ${PS2-} in (*"$__vt_more"*) ;; (*) PS2=$__vt_more${PS2-} ;; esac
		\return "$1"
	}

	__vt_status() {
		\return "$1"
	}

	# Prints the kind of `command`, the number, the line, and a final dot, which
	# protects newlines at the end; displays the line and prints C. Prints nothing
	# if there is no new request.
	__vt_read() {
		\unset -f printf read type
		LC_ALL=C IFS= __vt_text=
		\read -r __vt_id || \return 0
		case $__vt_id in ("$__vt_last" | '' | *[!0-9]*) \return 0 ;; esac
		\type command
		\printf '%s\n' "$__vt_id"
		while \read -r __vt_in; do
			\printf '%s\n' "$__vt_in"
			case ${#__vt_text} in (? | ?? | ???) __vt_text=$__vt_text$__vt_in$__vt_nl ;; esac
		done
		\printf '%s.' "$__vt_in"
		__vt_text=$(\printf %.1024s "$__vt_text$__vt_in")
		__vt_in=
		while \:; do
			case $__vt_text in (*[[:cntrl:]]*) ;; (*) break ;; esac
			__vt_x=${__vt_text%%[[:cntrl:]]*}
			__vt_text=${__vt_text#"$__vt_x"}
			case $__vt_text in
			("$__vt_nl"*) __vt_in=$__vt_in$__vt_x$__vt_nl ;;
			(*) __vt_in=$__vt_in$__vt_x? ;;
			esac
			__vt_text=${__vt_text#?}
		done
		case $__vt_save in (?*) \printf '\0338\033[J' ;; esac >/dev/tty
		\printf '%s\n\033]133;@TOKEN@;C;%s;\007' "$__vt_in$__vt_text" "$__vt_id" >/dev/tty
	}

	# Takes a request. $1 is the status that the line sees in `$?`. Sets __vt_x to
	# the text to evaluate; without a request this only restores status and options,
	# which are changed here so that nothing is traced or exported. `&&` keeps
	# `set -e` from ending the shell.
	__vt_take() {
		__vt_x=
		case $- in (*a*) \set +a; __vt_x='\set -a;' ;; esac
		case $- in (*x*) \set +x; __vt_x="$__vt_x\\set -x;" ;; esac
		__vt_x="{ ${__vt_x}__vt_status $1 && \\:; } 2>/dev/null"
		__vt_in=$(__vt_read <@REQUEST@) || \:
		__vt_kind=${__vt_in%%"$__vt_nl"*}
		case $__vt_in in
		(?*)
			__vt_in=${__vt_in#*"$__vt_nl"}
			__vt_id=${__vt_in%%"$__vt_nl"*}
			__vt_last=$__vt_id
			__vt_in=${__vt_in#*"$__vt_nl"}
			__vt_x=$__vt_x$__vt_nl${__vt_in%.}
			__vt_in=
			;;
		esac
	}

	__vt_arm 0
	case ${ENV-} in
	('') \unset ENV ;;
	(*)
		# The shell would expand the value, read the file if there is one, and
		# continue after an error in it.
		\eval "__vt_x=\"$ENV\""
		case $__vt_x in (*/*) ;; (*) __vt_x=./$__vt_x ;; esac
		__vt_kind=$(\unset -f test type; \test -r "$__vt_x" && \type command) || \:
		;;
	esac
	\eval "$__vt_a"
} 2>/dev/null
case $__vt_kind in
('') ;;
(*builtin*) \command . "$__vt_x" ;;
(*) \. "$__vt_x" ;;
esac
{ __vt_arm 0; } 2>/dev/null
