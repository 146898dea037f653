
# The part for a shell that vt has started: it reads the above in place of ~/.bashrc or of its login files.
if \builtin shopt -q login_shell; then
	# A login shell ignores --rcfile.  It was started with --posix, in which mode it reads $ENV and no other file.
	\builtin set +o posix
	\builtin shopt -u inherit_errexit
	[[ ${HISTFILE-} = ~/.sh_history ]] && HISTFILE=~/.bash_history
	if [[ ${__vt_env+x} ]]; then
		ENV=$__vt_env
		\builtin unset -v __vt_env
	else
		\builtin unset -v ENV
	fi
	[[ -r /etc/profile ]] && \builtin source /etc/profile
	for __vt_file in ~/.bash_profile ~/.bash_login ~/.profile; do
		[[ -r $__vt_file ]] && \builtin break
	done
else
	__vt_file=~/.bashrc
fi
[[ -r $__vt_file ]] && \builtin source "$__vt_file"
# Not before the user's files: the first `bind` makes readline read $INPUTRC.
{ __vt_start && [[ x ]]; } >/dev/null 2>&1
