# Evaluates the pending request. The shell reads this with the typed line
# ` \. FILE`. It is a single command: after LINE nothing of it is read (and
# echoed by `set -v`).
{
	{ __vt_take "$?" || \:; } 2>/dev/null
	# `command` keeps errors that would abandon this command in LINE. A
	# function of this name would be called in its place.
	case $__vt_kind in
	(*builtin*) \command eval "$__vt_x" ;;
	(*) \eval "$__vt_x" ;;
	esac
	{ __vt_arm "$?" && \:; } 2>/dev/null
}
