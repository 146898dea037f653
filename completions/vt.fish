# Completion of vt for fish. Generated from the command table by 'make generate'.

# Prints the options that take a value, after the words $argv[1].
function __vt_valued
    switch $argv[1]
        case 'help' 'help *'
            printf '%s\n' --color
        case 'version' 'version *'
            printf '%s\n' --color
        case '*'
            printf '%s\n' --color
    end
end

# Prints the words before the cursor that are no options.
function __vt_words
    set -l path ''
    set -l skips no
    set -l ended no
    for word in (commandline -opc)[2..-1]
        if test $skips = yes
            set skips no
            continue
        end
        if test $ended = no
            switch $word
                case --
                    set ended yes
                    continue
                case '--*=*'
                    continue
                case '-?*'
                    contains -- $word (__vt_valued "$path")
                    and set skips yes
                    continue
            end
        end
        printf '%s\n' $word
        set path (string trim -- "$path $word")
    end
end

# Succeeds after the path $argv[3..-1] and $argv[1] to $argv[2] further words.
function __vt_at
    set -l words (__vt_words)
    set -l path $argv[3..-1]
    set -l further (math (count $words) - (count $path))
    test $further -ge $argv[1] -a $further -le $argv[2]
    or return 1
    test (count $path) -eq 0
    or test "$words[1..$(count $path)]" = "$path"
end

function __vt_list
    vt complete $argv[1] -- (commandline -ct | string replace -r -- '^--[^=]*=' '') 2>/dev/null
end

complete -c vt -f

complete -c vt -n '__vt_at 0 0' -a help -d 'explain vt, a command or the exit statuses'
complete -c vt -n '__vt_at 0 0' -a version -d 'show the version of vt'
complete -c vt -n '__vt_at 0 0' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 0' -s q -l quiet -d 'leave out notes and progress'
complete -c vt -n '__vt_at 0 0' -s v -l verbose -d 'say on standard error what is being done'
complete -c vt -n '__vt_at 0 0' -l color -x -a 'auto always never' -d 'use colours'
complete -c vt -n '__vt_at 0 0' -s h -l help -d 'show help; -h is the short form'

complete -c vt -n '__vt_at 0 99 help' -f -a 'help version exit-codes'
complete -c vt -n '__vt_at 0 99 help' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 help' -s q -l quiet -d 'leave out notes and progress'
complete -c vt -n '__vt_at 0 99 help' -s v -l verbose -d 'say on standard error what is being done'
complete -c vt -n '__vt_at 0 99 help' -l color -x -a 'auto always never' -d 'use colours'
complete -c vt -n '__vt_at 0 99 help' -s h -l help -d 'show help; -h is the short form'

complete -c vt -n '__vt_at 0 99 version' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 version' -s q -l quiet -d 'leave out notes and progress'
complete -c vt -n '__vt_at 0 99 version' -s v -l verbose -d 'say on standard error what is being done'
complete -c vt -n '__vt_at 0 99 version' -l color -x -a 'auto always never' -d 'use colours'
complete -c vt -n '__vt_at 0 99 version' -s h -l help -d 'show help; -h is the short form'
