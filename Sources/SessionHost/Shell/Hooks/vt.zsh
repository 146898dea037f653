zmodload zsh/sched zsh/mapfile zsh/parameter || return

typeset -g __vt_id= __vt_last= __vt_line= __vt_run= __vt_eol= __vt_eol_user=
typeset -g __vt_a= __vt_options= __vt_st=0

__vt_mark() {
  builtin print -rn -- $'\e]133;@TOKEN@;'$1$'\a' >/dev/tty
}

__vt_encode() {
  __vt_text=${1[1,1024]}
  if [[ $__vt_text == *[%[:cntrl:]]* ]]; then
    __vt_text=${__vt_text//\%/%25}
    __vt_text=${__vt_text//$'\n'/%0A}
    __vt_text=${__vt_text//$'\t'/%09}
    __vt_text=${__vt_text//$'\e'/%1B}
    __vt_text=${__vt_text//$'\a'/%07}
    __vt_text=${__vt_text//[[:cntrl:]]/?}
  fi
}

__vt_arm() {
  if [[ ${precmd_functions[1]-} != __vt_precmd ]]; then
    typeset -ga precmd_functions
    precmd_functions=(__vt_precmd ${precmd_functions:#__vt_precmd})
  fi
  if [[ ${preexec_functions[-1]-} != __vt_preexec || ${preexec_functions[-2]-} != __vt_quiet ]]; then
    typeset -ga preexec_functions
    preexec_functions=(${preexec_functions:#(__vt_preexec|__vt_quiet)} __vt_quiet __vt_preexec)
  fi
  if [[ ${widgets[zle-line-init]-} != user:__vt_line_init ]]; then
    builtin zle -N __vt-take __vt_take
    if [[ -n ${widgets[zle-line-init]-} ]]; then
      builtin zle -A zle-line-init __vt-line-init-user
    fi
    builtin zle -N zle-line-init __vt_line_init
  fi
  local map
  for map in main emacs viins vicmd; do
    builtin bindkey -M $map $'\e[99;@KEY@~' __vt-take
  done
}

# The D mark is printed by zsh as the first thing after a command, as a part of
# PROMPT_EOL_MARK, if the options for that mark are on.
__vt_done() {
  [[ -n $__vt_run ]] || return 0
  __vt_run=
  if [[ ${PROMPT_EOL_MARK-} != $__vt_eol || ! -o promptsp || ! -o promptcr ]]; then
    __vt_mark "D;$__vt_st;$__vt_id"
  fi
  if [[ ${PROMPT_EOL_MARK-} == $__vt_eol ]]; then
    if [[ -n $__vt_eol_user ]]; then
      PROMPT_EOL_MARK=${__vt_eol_user#=}
    else
      unset PROMPT_EOL_MARK
    fi
  fi
  __vt_id= __vt_line=
}

__vt_precmd() {
  __vt_st=$? && builtin trap - DEBUG ZERR
  __vt_prompt
}

__vt_prompt() {
  __vt_done
  __vt_encode $PWD
  __vt_mark "A;$__vt_text"
  __vt_a=1
}

__vt_sched() {
  builtin trap - DEBUG ZERR
  __vt_options=
  builtin zle && return $__vt_st
  [[ -n $__vt_a ]] || __vt_prompt
  __vt_arm
  return $__vt_st
}

__vt_line_init() {
  __vt_st=$? && builtin trap - DEBUG ZERR
  case $CONTEXT in
  start)
    [[ -n $__vt_a ]] || __vt_prompt
    __vt_arm
    __vt_a=
    __vt_mark 'B;1' ;;
  cont) __vt_mark P ;;
  esac
  if [[ -n ${widgets[__vt-line-init-user]-} ]]; then builtin zle __vt-line-init-user; fi
}

__vt_status() { builtin trap - DEBUG ZERR && __vt_options= && return $__vt_st }

__vt_preexec() {
  builtin trap - DEBUG ZERR
  __vt_run=1
  if [[ -n ${PROMPT_EOL_MARK+x} ]]; then __vt_eol_user="=$PROMPT_EOL_MARK"; else __vt_eol_user=; fi
  __vt_eol=$'%{\e]133;@TOKEN@;D;%?;'$__vt_id$'\a%}'${PROMPT_EOL_MARK-%B%S%#%s%b}
  typeset -g PROMPT_EOL_MARK=$__vt_eol
  builtin sched +0 '{ __vt_st=$? && \builtin setopt ${=__vt_options}; \__vt_sched && { } } >/dev/null 2>&1'
  if [[ -n $__vt_id ]]; then
    zshaddhistory_functions=(${zshaddhistory_functions:#__vt_addhistory})
    builtin print -rs -- $__vt_line
    __vt_line='{ \builtin setopt ${=__vt_options} && \__vt_status } >/dev/null 2>&1 && { }; '$__vt_line
    __vt_mark "C;$__vt_id;"
  else
    __vt_encode ${1:-$3}
    __vt_mark "C;;$__vt_text"
  fi
}

__vt_addhistory() { return 1 }

__vt_take() {
  builtin trap - DEBUG ZERR
  [[ $CONTEXT == start ]] || return 0
  local request=${mapfile[@REQUEST@]-}
  local id=${request%%$'\n'*}
  [[ $request == <->$'\n'* && $id != $__vt_last ]] || return 0
  typeset -g __vt_last=$id __vt_id=$id __vt_line=${request#*$'\n'}
  __vt_arm
  typeset -ga zshaddhistory_functions
  zshaddhistory_functions=(__vt_addhistory ${zshaddhistory_functions:#__vt_addhistory})
  [[ -z $BUFFER ]] || builtin zle .push-input
  POSTDISPLAY=
  BUFFER=$__vt_line
  CURSOR=$#BUFFER
  if [[ -n ${widgets[zle-line-finish]-} ]]; then
    builtin zle -A zle-line-finish __vt-line-finish-user
  fi
  builtin zle -N zle-line-finish __vt_line_finish
  builtin zle .accept-line
}

__vt_line_finish() {
  builtin trap - DEBUG ZERR
  if [[ -n ${widgets[__vt-line-finish-user]-} ]]; then
    builtin zle -A __vt-line-finish-user zle-line-finish
    builtin zle -D __vt-line-finish-user
    builtin zle zle-line-finish
  else
    builtin zle -D zle-line-finish
  fi
  builtin zle -I
  BUFFER=' { \builtin unsetopt xtrace } >/dev/null 2>&1 && \eval "$__vt_line"'
}

precmd_functions=(__vt_precmd)
sched +0 '{ __vt_st=$? && \builtin setopt ${=__vt_options}; \__vt_sched && { } } >/dev/null 2>&1'
