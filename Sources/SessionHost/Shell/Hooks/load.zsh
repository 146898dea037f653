# Functions defined under `emulate -c` begin with these options at each call,
# whatever the user has set, and end with the user's.  No alias is used here.
'builtin' 'emulate' zsh -o noaliases -o extendedglob -o nodebugbeforecmd -o noerrexit \
  -o noerrreturn -o noxtrace -o unset -o localtraps -c @HOOK@

# These hooks need the user's options and are defined outside.  The redirections
# hide them from `set -x`, whose option a function cannot change for others
# and a widget cannot see.
__vt_look() {
  __vt_restore
  { if [[ -o xtrace ]]; then __vt_xtrace=1; else __vt_xtrace=; fi; } >/dev/null 2>&1
}

# Makes comments possible in a line that is executed as it is, until it has been
# parsed.  If the option `localoptions` is set, a function cannot do that.
__vt_line_finish() {
  {
    if [[ ! -o interactivecomments && ! -o localoptions ]]; then
      \builtin setopt interactivecomments
      __vt_comments=1
    fi
  } >/dev/null 2>&1
  __vt_accept
}

# Restores options: that one, also if the line could not be parsed, and, at the
# next prompt, PROMPT_SP.
__vt_restore() {
  {
    if [[ -n $__vt_comments ]]; then \builtin unsetopt interactivecomments; fi
    if [[ -n $__vt_promptsp ]]; then \builtin setopt promptsp; fi
    __vt_comments= __vt_promptsp=
  } >/dev/null 2>&1
}

# Runs before __vt_preexec.  A DEBUG trap must not run for the technical line,
# and under `set -e` a syntax error in LINE must not end the shell.  __vt_line
# turns the options on again for LINE.  Without PROMPT_SP, zsh prints no D before
# precmd, where D waits for a filter of the output.
__vt_quiet() {
  __vt_restore
  {
    __vt_options=()
    if [[ -n $__vt_id && -z $__vt_typed ]]; then
      if [[ -o xtrace ]]; then __vt_options+=(xtrace); fi
      if [[ -o errexit ]]; then __vt_options+=(errexit); fi
      if [[ -o debugbeforecmd ]]; then __vt_options+=(debugbeforecmd); fi
      \builtin unsetopt errexit debugbeforecmd
    fi
    if [[ -o promptsp && ( -n $__vt_filtered || ${__vt_line:-$3} == *'>('* ) ]]; then
      \builtin unsetopt promptsp
      __vt_promptsp=1
    fi
  } >/dev/null 2>&1
}
