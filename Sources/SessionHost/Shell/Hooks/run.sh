# Evaluates the pending request. The shell reads this with the typed line
# ` \. FILE`. It is one command, so that nothing of it remains to be read (and
# echoed by `set -v`) after LINE.
{
	{ __vt_take "$?" || \:; } 2>/dev/null
	case $__vt_kind in
	(*builtin*) \command eval "$__vt_x" ;;
	(*) \eval "$__vt_x" ;;
	esac
	{ __vt_call __vt_finish "$?"; } 2>/dev/null
	{ __vt_status "$__vt_done" && \:; } 2>/dev/null
}
