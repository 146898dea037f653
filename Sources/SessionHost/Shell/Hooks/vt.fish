# Shell integration for fish, read with `fish --init-command 'source FILE'`, or
# from a line in config.fish (`vt shell-init`).
#
# Names of builtins that fish reserves (set, eval, test, string, read, status,
# return) are used as they are; the others are called with `builtin`, because
# users define functions with these names. fish preserves $status and
# $pipestatus in event handlers and key bindings.

set -g __vt_key \e'[24;@KEY@~'
set -g __vt_id # of the request that was taken and has not ended
set -g __vt_last # ID taken
set -g __vt_ended # the last request that ended, and its status: ID;STATUS
set -g __vt_open # set between C and D
set -g __vt_line # to evaluate
set -g __vt_buffer # what was on the command line before the request
set -g __vt_cursor

# The line that a request executes. It is fixed text, because fish expands
# abbreviations in a line and does not execute incomplete text. Setting a
# variable calls its handler and, unlike a command, leaves $status unchanged.
# The leading space keeps the line out of the history.
set -g __vt_command ' set __vt_run 1; eval $__vt_line; set __vt_run 0'
set -g __vt_run 0

# Prints a mark. The token is in no variable and no function, because `set` and
# `functions` are output.
function __vt_mark
    set -l fish_trace
    read -l -d ' ' __vt_token __vt_rest <@SECRET@
    builtin printf '\e]133;%s;%s\a' $__vt_token $argv[1]
end

function __vt_print
    __vt_mark $argv[1] >/dev/tty
end

# Encodes a text, whose lines may be several arguments.
function __vt_encode
    if string match -qr '[%[:cntrl:]]' -- $argv
        string replace -a % %25 -- $argv | string replace -a \t %09 | string replace -a \e %1B |
            string replace -a \a %07 | string replace -ar '[[:cntrl:]]' '?' | string join %0A
    else
        string join %0A -- $argv
    end
end

# While there is a handler for SIGINT, ^C stops no function. It stops those of
# the hook otherwise, and fish shows a prompt without its marks.
function __vt_protect
    function __vt_interrupt --on-signal INT
    end
end

function __vt_unprotect
    builtin functions -e __vt_interrupt
end

# Saves the environment, after changing it, for a request `env` with the path of
# the file. Local variables would hide exported ones with the same names.
function __vt_save
    test -r @REQUEST@; or return 1
    begin
        read -g --line __vt_word
        read -gz __vt_path
    end <@REQUEST@
    test "$__vt_word" = env; or return 1
    # Once, even if the key has been sent again.
    builtin printf '' >@REQUEST@
    test -r $__vt_path.load; and source $__vt_path.load
    /usr/bin/env -0 >$__vt_path
    __vt_print "E;$status"
end

# Shows the prompt again for a request `prompt`, because the terminal has
# discarded it for ^C, with its marks. Not if the key was read by a command.
function __vt_repeat
    set -l word
    read --line word <@REQUEST@
    test "$word" = prompt; or return 1
    builtin printf '' >@REQUEST@
    test (status current-command) = fish; or return 0
    __vt_prompt
    builtin commandline -f repaint
end

# Bound to the key: takes the request and executes $__vt_command.
function __vt_take
    test -r @REQUEST@; or return
    __vt_save; and return
    __vt_repeat; and return
    __vt_protect
    set -l id
    begin
        read --line id
        read -z __vt_line
    end <@REQUEST@
    if test "$id" = "$__vt_last"
        __vt_unprotect
        return
    end
    set __vt_id $id
    set __vt_last $id
    set __vt_buffer (builtin commandline)
    # Left by a request that was not executed.
    test "$__vt_buffer" = "$__vt_command"; and set __vt_buffer
    set __vt_cursor (builtin commandline -C)

    # Save the position where the line is to be displayed, the end of the
    # prompt, with a free row below it: the newline must not scroll. What is
    # written over is part of an update, which text logs do not show.
    if test "$TERM" != dumb
        set -l before (builtin commandline -c)
        set -l left (string length -- $before[-1])
        set -l up (builtin count $before[2..])
        test $left -gt 0; and builtin printf '\e[%dD' $left
        test $up -gt 0; and builtin printf '\e[%dA' $up
        builtin printf '\eD\e[A\e7\e[?2026h'
        test $up -gt 0; and builtin printf '\e[%dB' $up
        test $left -gt 0; and builtin printf '\e[%dC' $left
    end >/dev/tty
    builtin commandline -r -- $__vt_command
    builtin commandline -f execute
end

# Ends the update that __vt_take has begun.
function __vt_show
    test "$TERM" = dumb; or builtin printf '\e[?2026l' >/dev/tty
end

function __vt_start
    __vt_print "C;$__vt_id;$argv[1]"
    set __vt_open 1
    __vt_unprotect
end

function __vt_end
    __vt_protect
    test -n "$__vt_open"; or return
    # ^C makes the terminal discard output: the next B repeats D.
    test -n "$__vt_id"; and set __vt_ended "$__vt_id;$argv[1]"
    __vt_print "D;$argv[1];$__vt_id;$fish_pid"
    set __vt_open
    set __vt_id
    set __vt_line
end

function __vt_on_run --on-variable __vt_run
    set -l last $status
    if test "$__vt_run" = 0
        __vt_end $last
    else if test -n "$__vt_id"
        # If the editor did not execute the line at once, it may have been withdrawn.
        set -l offered
        test -r @REQUEST@; and read --line offered <@REQUEST@
        if test "$offered" != "$__vt_id"
            set __vt_id
            set __vt_line
            __vt_show
            return
        end
        set -l text (string sub -l 1024 -- $__vt_line | string replace -ar '[[:cntrl:]]' '?')
        if test "$TERM" != dumb
            # fish has set the title from $__vt_command.
            builtin functions -q fish_title; and set -l title (fish_title "$text" | string join ' ')
            test -n "$title"; and builtin printf '\e]0;%s\a' $title
            builtin printf '\e8\e[J'
        end >/dev/tty
        string join \n -- $text >/dev/tty
        __vt_show
        # As for a line that is typed, a leading space keeps it out. fish 4.0.
        string match -qr '^\S' -- $__vt_line; and builtin history append -- $__vt_line 2>/dev/null
        __vt_start
    end
end

function __vt_preexec --on-event fish_preexec
    test "$argv[1]" = "$__vt_command"; and test -n "$__vt_id"; and return
    set __vt_id
    __vt_start (__vt_encode (string sub -l 1024 -- $argv[1]))
end

# If a request has not ended, fish is about to end, or ^C has stopped it.
function __vt_postexec --on-event fish_postexec
    set -l last $status
    if test -z "$__vt_id"
        # ^C before a line keeps __vt_preexec from being called.
        test -n "$__vt_open"; or test "$argv[1]" = "$__vt_command"
        or __vt_start (__vt_encode (string sub -l 1024 -- $argv[1]))
        __vt_end $last
    end
    __vt_restore
end

# Puts back what had been typed.
function __vt_restore
    test -n "$__vt_buffer"; or return
    builtin commandline -r -- $__vt_buffer
    builtin commandline -C $__vt_cursor
    set __vt_buffer
end

# At a prompt, a request that has not ended was stopped by ^C: the end of
# $__vt_command was not reached, and $status may be that of an earlier command.
# If it has not begun, it can be taken again.
function __vt_finish
    __vt_restore
    test -n "$__vt_id"; or return
    test -n "$__vt_open"; or begin
        set __vt_last
        __vt_show
    end
    __vt_end 130
    set __vt_id
end

# fish_prompt is replaced only until it is called, so that users see, edit, and
# save their own function.
function __vt_prompt --on-event fish_prompt
    __vt_protect
    __vt_finish
    __vt_print "A;"(__vt_encode $PWD)
    for mode in $fish_bind_mode (builtin bind -L)
        builtin bind -M $mode $__vt_key __vt_take
    end
    if not builtin functions -q fish_prompt
        __vt_print "B;1;;@SHELL@;$fish_pid;$__vt_ended"
        __vt_unprotect
        return
    end
    set -l details (builtin functions --details --verbose fish_prompt)
    # It is still the replacement if the last prompt was not shown.
    test "$details[5]" != __vt; or return
    builtin functions -e __vt_user_prompt
    builtin functions -c fish_prompt __vt_user_prompt
    function fish_prompt --description __vt
        set -l text (__vt_user_prompt)
        builtin functions -e fish_prompt
        builtin functions -c __vt_user_prompt fish_prompt
        set -q text[1]; or set text ''
        set text[-1] $text[-1](__vt_mark "B;1;;@SHELL@;$fish_pid;$__vt_ended")
        string join \n -- $text
        __vt_unprotect
    end
end
