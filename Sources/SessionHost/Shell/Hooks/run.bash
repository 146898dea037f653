# Sourced by the line ` . FILE`, which is typed where bash has no line editor.
if { __vt_typed "$_"; } >/dev/null 2>&1; then
	"${__vt_run[@]}"
else
	{ __vt_return && :; } >/dev/null 2>&1
fi
