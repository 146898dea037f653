# vt shell integration for zsh: the hooks.
#
# zsh itself prints the D mark, as a part of PROMPT_EOL_MARK: that is the first
# thing after a command, before job notices and all precmd hooks.  The variable is
# visible to the command, so that mark has a token of its own, which mark T
# announces and which counts once; the other is in no variable.  precmd
# prints A, the widget zle-line-init B (the prompt is on the screen by then),
# and preexec C.
#
# A request arrives as a key.  Its widget lets zle show LINE as if it had been
# typed.  If LINE is complete, it is then executed as it is, so that its jobs have
# the numbers that they have when typed, and traps for failures run once.  Until
# it has been parsed, there are comments, but no references to the history and no
# corrections.  Otherwise zle-line-finish, which runs when the screen is
# final, replaces it with the technical line that evaluates LINE at top level.
#
# Users replace hooks, so each hook sets up the others.  An event of `sched`
# does it if a command has replaced all of them: zsh runs it before the prompt.
#
# Each hook begins with `trap`, in one list with what must come earlier: the
# user's DEBUG and ZERR traps are off until it returns (localtraps), and so is ^C.

zmodload zsh/mapfile zsh/parameter zsh/sched 2>/dev/null || return

typeset -g __vt_id= __vt_last= __vt_ended= __vt_line= __vt_command= __vt_running= __vt_begun=
typeset -g __vt_file= __vt_typed= __vt_open= __vt_eol= __vt_user_eol= __vt_status=0 __vt_arg= __vt_store= __vt_inside= __vt_text= __vt_xtrace=
typeset -g __vt_histchars= __vt_correct= __vt_comments= __vt_promptsp= __vt_filtered=
typeset -ga __vt_options

# In `command && $__vt_keep` the status is the command's, and `set -e` does not
# end the shell.  It is neither traced nor a command to a DEBUG trap, and it does
# not need a closing brace, which `emulate sh` reads differently.
typeset -g __vt_keep='repeat 0; do :; done'

# Marks go to the terminal even after `exec >file`.
__vt_mark() {
  local file=@SECRET@
  builtin print -rn -- $'\e]133;'${mapfile[$file]%% *}";$1"$'\a' >/dev/tty
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

# A user's function can have the name `builtin`, and comes first then.  While a
# hook runs it is moved away, by assignments: they need no command.
__vt_shadow() {
  (( $+functions[builtin] )) || return
  dis_functions[builtin]=$functions[builtin]
  { () { return $__vt_status }; "$@" } always { [[ $1 == __vt_accept ]] || __vt_unshadow }
}

__vt_unshadow() {
  if (( $+dis_functions[builtin] )); then functions[builtin]=$dis_functions[builtin]; fi
}

__vt_arm() {
  local map
  if [[ ${precmd_functions[1,2]-} != '__vt_precmd __vt_look' && ${(t)precmd_functions} != *readonly* ]]; then
    typeset -ga precmd_functions
    precmd_functions=(__vt_precmd __vt_look ${precmd_functions:#__vt_(precmd|look)})
  fi
  if [[ ${preexec_functions[-2,-1]-} != '__vt_quiet __vt_preexec' && ${(t)preexec_functions} != *readonly* ]]; then
    typeset -ga preexec_functions
    preexec_functions=(${preexec_functions:#__vt_(quiet|preexec)} __vt_quiet __vt_preexec)
  fi
  if [[ ${zshaddhistory_functions[1]-} != __vt_addhistory && ${(t)zshaddhistory_functions} != *readonly* ]]; then
    typeset -ga zshaddhistory_functions
    zshaddhistory_functions=(__vt_addhistory ${zshaddhistory_functions:#__vt_addhistory})
  fi
  if [[ ${widgets[zle-line-init]-} != user:__vt_line_init ]]; then
    builtin zle -N __vt_take
    if (( $+widgets[zle-line-init] )); then
      builtin zle -A zle-line-init __vt_user_line_init
    fi
    builtin zle -N zle-line-init __vt_line_init
  fi
  for map in ${keymaps:#(.safe|command|isearch|listscroll|menuselect|viopp|visual)}; do
    builtin bindkey -M $map $'\e[99;@KEY@~' __vt_take
  done
}

# Ends the command, if one was running.
__vt_end() {
  [[ -n $__vt_running ]] || return 0
  # ^C makes the terminal discard output: the next B repeats D.
  [[ -z $__vt_id ]] || __vt_ended="$__vt_id;$__vt_status"
  if [[ ${PROMPT_EOL_MARK-} != $__vt_eol || ! -o promptsp || ! -o promptcr ]]; then
    # A filter, such as tee after `exec > >(tee FILE)`, may not have passed on all
    # output yet.
    if [[ -p /dev/fd/1 || -p /dev/fd/2 ]]; then /bin/sleep 0.1; fi
    __vt_mark "D;$__vt_status;$__vt_id;$$"
  fi
  if [[ ${PROMPT_EOL_MARK-} == $__vt_eol ]]; then
    if [[ -n $__vt_user_eol ]]; then
      PROMPT_EOL_MARK=${__vt_user_eol#=}
    else
      builtin unset PROMPT_EOL_MARK
    fi
  fi
  __vt_running=
}

# Gives zle-line-finish back to the user.
__vt_release() {
  if (( $+widgets[__vt_user_line_finish] )); then
    builtin zle -A __vt_user_line_finish zle-line-finish
    builtin zle -D __vt_user_line_finish
  else
    builtin zle -D zle-line-finish
  fi
}

# Restores what __vt_accept has changed until LINE has been parsed.
__vt_restore_input() {
  [[ -n $__vt_histchars ]] || return 0
  histchars=${__vt_histchars#=}
  if [[ -n $__vt_correct ]]; then CORRECT_IGNORE=${__vt_correct#=}; else builtin unset CORRECT_IGNORE; fi
  __vt_histchars=
}

__vt_begin() {
  __vt_end
  __vt_restore_input
  __vt_filtered=
  if [[ -p /dev/fd/1 || -p /dev/fd/2 ]]; then __vt_filtered=1; fi
  # An alias has made LINE wrong: evaluate it when the holder asks again.
  if [[ -n $__vt_typed && $__vt_id != $__vt_last ]]; then __vt_open=$__vt_id; fi
  # A request that ^C stopped before C can be taken again.
  if [[ ${widgets[zle-line-finish]-} == user:__vt_line_finish ]]; then __vt_release; fi
  __vt_id= __vt_line= __vt_typed=
  __vt_encode $PWD
  __vt_mark "A;$__vt_text"
  __vt_begun=1
}

__vt_precmd() {
  __vt_status=$? __vt_arg=$_ && (( ! $+functions[builtin] )) && builtin trap - DEBUG ZERR && builtin trap '' INT || { __vt_shadow __vt_precmd; return }
  __vt_begin
  __vt_arm
  # Nothing is left to do for the event, except after a syntax error in LINE.
  if (( ! $#__vt_options )); then
    local -i i=$#zsh_scheduled_events
    while (( i )); do
      [[ $zsh_scheduled_events[i] != *__vt_sched* ]] || builtin sched -$i
      (( i-- ))
    done
  fi
}

# Status and $_ are the user's again when it returns.
__vt_sched() {
  (( ! $+functions[builtin] )) && builtin trap - DEBUG ZERR && builtin trap '' INT || { __vt_shadow __vt_sched; return }
  __vt_options=()
  # In `vared` the command has not ended.
  if ! builtin zle; then
    [[ -n $__vt_begun ]] || __vt_begin
    __vt_arm
  fi
  return $__vt_status
}

__vt_line_init() {
  __vt_status=$? && (( ! $+functions[builtin] )) && builtin trap - DEBUG ZERR && builtin trap '' INT || { __vt_shadow __vt_line_init; return }
  # add-zle-hook-widget makes us a part of what we call.
  [[ -z $__vt_inside ]] || return 0
  local __vt_inside=1
  case $CONTEXT in
    start)
      [[ -n $__vt_begun ]] || __vt_begin
      __vt_begun=
      __vt_arm
      __vt_mark "B;1;;@SHELL@;$$;$__vt_ended"
      ;;
    cont)
      # An alias has made LINE incomplete: evaluate it when the holder asks again.
      if [[ -n $__vt_typed ]]; then
        __vt_open=$__vt_id
        builtin zle .send-break
      fi
      __vt_mark P
      ;;
  esac
  if (( $+widgets[__vt_user_line_init] )); then builtin zle __vt_user_line_init; fi
}

__vt_preexec() {
  __vt_status=$? __vt_arg=$_ && (( ! $+functions[builtin] )) && builtin trap - DEBUG ZERR && builtin trap '' INT || { __vt_shadow __vt_preexec "$@"; return }
  __vt_running=1
  __vt_restore_input
  local token
  IFS= builtin read -u 0 -k 64 token </dev/urandom
  token=${token//[^a-zA-Z0-9]}
  __vt_user_eol="${PROMPT_EOL_MARK+=}${PROMPT_EOL_MARK-}"
  __vt_eol=$'%{\e]133;'"$token;D;%?;$__vt_id;$$"$'\a%}'${PROMPT_EOL_MARK-%B%S%#%s%b}
  typeset -g PROMPT_EOL_MARK=$__vt_eol
  builtin sched +0 "{ __vt_status=\$? && \\builtin \\setopt \"\${__vt_options[@]}\"; \\__vt_look; \\__vt_sched \"\$__vt_arg\" && $__vt_keep; } >/dev/null 2>&1"
  __vt_mark "T;$token;$$"
  if [[ -n $__vt_id ]]; then
    __vt_last=$__vt_id
    [[ -z $__vt_store ]] || builtin print -rs -- $__vt_line
    # Without a command the status would be the previous one.
    if [[ -z $__vt_typed && $__vt_line == [[:space:]]#(|\#*) ]]; then
      local rest=$'\n'$__vt_line
      rest=${rest//$'\n'[[:blank:]]#\#[^$'\n']#}
      [[ $rest == *[^[:space:]]* ]] || __vt_status=0
    fi
    [[ -n $__vt_typed ]] || __vt_line="{ \\builtin \\setopt \"\${__vt_options[@]}\" && \\__vt_resume \"\$__vt_arg\"; } >/dev/null 2>&1 && $__vt_keep; $__vt_line"
    __vt_mark "C;$__vt_id;"
    [[ -z $__vt_typed ]] || __vt_unshadow
  else
    __vt_encode ${1:-$3}
    __vt_mark "C;;$__vt_text"
  fi
}

# Gives LINE the status of the previous command.
__vt_resume() {
  builtin trap - DEBUG ZERR
  __vt_unshadow
  __vt_options=()
  return $__vt_status
}

# Whether LINE can be executed as it is: it is complete and contains a command,
# and what __vt_accept changes for it is not needed or can be restored before it
# runs.  An open heredoc at the end swallows the parenthesis that is added, which
# is an error otherwise.
__vt_check() {
  [[ $__vt_id != $__vt_open && $__vt_line != (|*[^\\])(\\\\)#\\ ]] || return
  [[ ${preexec_functions[-1]-} == __vt_preexec ]] \
    || [[ $__vt_line != *['#!^'$histchars]* && ! -o correct && ! -o correctall ]] || return
  [[ -o interactivecomments || -z $histchars[3] || $__vt_line != *"$histchars[3]"* ]] || return
  { functions[__vt_checked]=$__vt_line$'\n)' } 2>/dev/null
  if (( $+functions[__vt_checked] )); then
    unfunction __vt_checked
    return 1
  fi
  { functions[__vt_checked]=$__vt_line } 2>/dev/null
  [[ ${functions[__vt_checked]-} == *[^[:space:]]* ]] || return
  unfunction __vt_checked
}

__vt_addhistory() {
  [[ -z $__vt_command || $1 != $__vt_command$'\n' ]]
}

# Saves the environment, after changing it, for a request `env` with the path of
# the file.  Local parameters would hide exported ones with the same names.
__vt_save() {
  __vt_file=@REQUEST@
  __vt_file=${mapfile[$__vt_file]-}
  [[ $__vt_file == $'env\n'* ]] || return 1
  # Once, even if the key has been sent again.
  builtin : >|@REQUEST@
  __vt_file=${__vt_file#*$'\n'}
  [[ ! -r $__vt_file.load ]] || builtin source $__vt_file.load
  /usr/bin/env -0 >|$__vt_file
  __vt_mark "E;$?"
}

__vt_take() {
  (( ! $+functions[builtin] )) && builtin trap - DEBUG ZERR && builtin trap '' INT || { __vt_shadow __vt_take; return }
  [[ $CONTEXT == start ]] || return 0
  ! __vt_save || return 0
  local file=@REQUEST@
  local request=${mapfile[$file]-}
  local id=${request%%$'\n'*}
  [[ $request == <->$'\n'* && $id != $__vt_last ]] || return 0
  __vt_id=$id __vt_line=${request#*$'\n'}
  __vt_store=1
  if [[ -o histignorespace && $__vt_line == ' '* || -o histignoredups && $__vt_line == $history[$((HISTCMD-1))] ]]; then
    __vt_store=
  fi
  __vt_arm
  [[ -z $BUFFER ]] || builtin zle .push-input
  POSTDISPLAY=
  region_highlight=()
  # Highlighting plugins need seconds for long lines.
  BUFFER=$__vt_line[1,1000]
  [[ $BUFFER == $__vt_line ]] || BUFFER+=...
  CURSOR=$#BUFFER
  if (( $+widgets[zle-line-finish] )); then
    builtin zle -A zle-line-finish __vt_user_line_finish
  fi
  builtin zle -N zle-line-finish __vt_line_finish
  builtin zle .accept-line
}

# Called by __vt_line_finish.
__vt_accept() {
  (( ! $+functions[builtin] )) && builtin trap - DEBUG ZERR && builtin trap '' INT || { __vt_shadow __vt_accept; return }
  __vt_release
  if (( $+widgets[zle-line-finish] )); then builtin zle zle-line-finish; fi
  # zle draws nothing more after this, so the line can be replaced unseen.
  builtin zle -I
  BUFFER=$__vt_line
  if [[ $BUFFER == $__vt_line ]] && __vt_check; then
    __vt_typed=1 __vt_command=$__vt_line
    __vt_histchars="=$histchars" __vt_correct="${CORRECT_IGNORE+=}${CORRECT_IGNORE-}"
    # zsh looks at this for each character that it reads.
    histchars=$'\0\0'$histchars[3]
    typeset -g CORRECT_IGNORE='*'
  else
    __vt_command=' \builtin \eval "$__vt_line"'
    # The list makes ^Z stop a second job, so it is not used otherwise.
    [[ -z $__vt_xtrace ]] || __vt_command=" { \\builtin \\unsetopt xtrace; } >/dev/null 2>&1 &&$__vt_command"
    BUFFER=$__vt_command
  fi
  [[ ${preexec_functions[-1]-} == __vt_preexec ]] || { () { return $__vt_status }; __vt_preexec }
}

# First in precmd_functions if the user's files add to it.  If they replace it,
# the event sets everything up at the first prompt.  zle is not loaded before:
# it chooses its keymap from EDITOR, which the user's files may set.
typeset -ga precmd_functions
precmd_functions=(__vt_precmd __vt_look $precmd_functions)
sched +0 "{ __vt_status=\$?; \\__vt_look; \\__vt_sched && $__vt_keep; } >/dev/null 2>&1"
