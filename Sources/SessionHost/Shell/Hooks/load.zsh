# Functions defined under `emulate -c` begin with these options at each call,
# whatever the user has set, and end with the user's.  No alias is used here.
'builtin' 'emulate' zsh -o noaliases -o extendedglob -o nodebugbeforecmd -o noerrexit \
  -o noerrreturn -o noxtrace -o unset -o localtraps -c @HOOK@

# Two hooks need the user's options and are defined outside.  The redirection
# hides them from `set -x`, whose option a function cannot change for others
# and a widget cannot see.
__vt_look() {
  { if [[ -o xtrace ]]; then __vt_xtrace=1; else __vt_xtrace=; fi; } >/dev/null 2>&1
}

# Runs before __vt_preexec.  A DEBUG trap must not run for the technical line,
# and under `set -e` a syntax error in LINE must not end the shell.  __vt_line
# turns the options on again for LINE.
__vt_quiet() {
  {
    __vt_options=()
    if [[ -n $__vt_id && -z $__vt_typed ]]; then
      if [[ -o xtrace ]]; then __vt_options+=(xtrace); fi
      if [[ -o errexit ]]; then __vt_options+=(errexit); fi
      if [[ -o debugbeforecmd ]]; then __vt_options+=(debugbeforecmd); fi
      \builtin unsetopt errexit debugbeforecmd
    fi
  } >/dev/null 2>&1
}
