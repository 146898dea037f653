# vt shell integration for zsh: the first file that zsh reads from $ZDOTDIR.
#
# ZDOTDIR gets its real value back before anything else, so that zsh itself
# finds every other start file, and nothing else ever sees ours.
if [[ -n @ZDOTDIR@ ]]; then
  ZDOTDIR=@ZDOTDIR@
else
  'builtin' 'unset' ZDOTDIR
fi

if [[ -o interactive && -o zle ]]; then
@LOAD@fi

if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
  'builtin' 'source' "${ZDOTDIR:-$HOME}/.zshenv"
fi
