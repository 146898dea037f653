# Sourced by the line ` . FILE`, which the holder types where bash has no line editor.
if { __vt_take && [[ x ]]; } >/dev/null 2>&1; then
	"${__vt_run[@]}"
else
	{ __vt_refuse && [[ x ]]; } >/dev/null 2>&1
fi
