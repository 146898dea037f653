
# The part for a shell that vt has started: it reads the above in place of the
# user's file.
{
	case $- in (*a*) \set +a; __vt_options='\set -a' ;; (*) __vt_options=: ;; esac
	ENV=@USER_ENV@
	case $ENV in
	('') \unset ENV ;;
	(*)
		# The shell would expand the value, read the file if there is one, and
		# continue after an error in it.
		\eval "__vt_x=\"$ENV\""
		case $__vt_x in (*/*) ;; (*) __vt_x=./$__vt_x ;; esac
		__vt_kind=$(\unset -f test; \test -r "$__vt_x" && __vt_type) || \:
		;;
	esac
	\eval "$__vt_options"
} 2>/dev/null
case ${__vt_kind-} in
('') ;;
(*builtin*) \command . "$__vt_x" ;;
(*) \. "$__vt_x" ;;
esac
{ __vt_call __vt_arm; } 2>/dev/null
