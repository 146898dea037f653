# vt shell integration, zsh: the first file that zsh reads from $ZDOTDIR.
#
# It gives ZDOTDIR its real value back before anything else, so every other
# start file is found and read by zsh itself, as without integration.
if [[ -n @ZDOTDIR@ ]]; then
  ZDOTDIR=@ZDOTDIR@
else
  'builtin' 'unset' ZDOTDIR
fi

# Aliases are off while the hooks are parsed.  Functions defined under
# `emulate -c` start with these options at each call, whatever the user has
# set by then, and put the user's back.
if [[ -o interactive ]]; then
  'builtin' 'emulate' zsh -o noaliases -o nodebugbeforecmd -o noerrexit \
    -o noerrreturn -o noxtrace -o unset -o localtraps -c '. @DIR@/vt.zsh'
  __vt_quiet() {
    { __vt_st=$? __vt_options=
      if [[ -n $__vt_id ]]; then
        if [[ -o xtrace ]]; then __vt_options=xtrace; fi
        if [[ -o debugbeforecmd ]]; then
          __vt_options+=' debugbeforecmd'
          'builtin' 'unsetopt' debugbeforecmd
        fi
      fi
    } >/dev/null 2>&1
  }
fi

if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
  'builtin' 'source' "${ZDOTDIR:-$HOME}/.zshenv"
fi
