# Sourced by the line ` . FILE`, which the holder types where bash has no line editor.
if { __vt_take "$_" && \builtin trap -p ERR >|"$__vt_request.trap" && __vt_hold && \builtin trap - ERR && [[ x ]]; } >/dev/null 2>&1
then
	"${__vt_run[@]}"
	# The trap would also run for `.`, which fails like the line.  The next prompt sets it again.
	{
		__vt_can_hide && \builtin trap -p ERR >|"$__vt_request.trap" && __vt_hold && \builtin trap - ERR
		__vt_return && [[ x ]]
	} >/dev/null 2>&1
else
	# Keeps `$?` where there is no request.
	{ __vt_return && [[ x ]]; } >/dev/null 2>&1
fi
