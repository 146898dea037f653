# Completion of vt for fish. Generated from the command table by 'make generate'.

# Prints the options of command $argv[1] that take a value.
function __vt_valued
    switch $argv[1]
        case 'profile add' 'profile add *'
            printf '%s\n' -l --user -p --port -i --identity --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --secret-store -J --jump --proxy-command --via --host-key-policy --host-key --known-hosts --allow-algorithm --connect-timeout --keep-alive --keep-alive-count --share --cwd --env --shell --tag --note --color
        case 'profile list' 'profile list *'
            printf '%s\n' --tag --search --color
        case 'profile show' 'profile show *'
            printf '%s\n' --color
        case 'profile edit' 'profile edit *'
            printf '%s\n' --host -l --user -p --port -i --identity --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --secret-store -J --jump --proxy-command --via --host-key-policy --host-key --known-hosts --allow-algorithm --connect-timeout --keep-alive --keep-alive-count --share --cwd --env --shell --tag --note --unset --color
        case 'profile remove' 'profile remove *'
            printf '%s\n' --color
        case 'profile rename' 'profile rename *'
            printf '%s\n' --color
        case 'profile import' 'profile import *'
            printf '%s\n' --host --tag --color
        case 'profile test' 'profile test *'
            printf '%s\n' --connect-timeout --color
        case 'profile connections' 'profile connections *'
            printf '%s\n' --color
        case 'host list' 'host list *'
            printf '%s\n' --tag --color
        case 'host trust' 'host trust *'
            printf '%s\n' --tag -J --jump --connect-timeout --color
        case 'host forget' 'host forget *'
            printf '%s\n' --tag --color
        case 'host scan' 'host scan *'
            printf '%s\n' --tag -J --jump --connect-timeout --color
        case 'exec' 'exec *'
            printf '%s\n' -l --user -p --port -i --identity --term --size --cwd --env --send-env --stdin --timeout --connect-timeout --tag --parallel -o --option -e --escape --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color
        case 'ssh' 'ssh *'
            printf '%s\n' --color
        case 'sessions create' 'sessions create *'
            printf '%s\n' --cwd --env --pass-env --size --term --tag --log-max --if-exists --color
        case 'sessions list' 'sessions list *'
            printf '%s\n' --state --tag --watch --timeout --color
        case 'sessions show' 'sessions show *'
            printf '%s\n' --color
        case 'sessions logs' 'sessions logs *'
            printf '%s\n' --from --tail --since --format --color
        case 'sessions send' 'sessions send *'
            printf '%s\n' --key --timeout --color
        case 'sessions wait' 'sessions wait *'
            printf '%s\n' --match --idle --from --timeout --color
        case 'sessions screen' 'sessions screen *'
            printf '%s\n' --format --theme --scrollback --at --size --color
        case 'sessions resize' 'sessions resize *'
            printf '%s\n' --color
        case 'sessions rename' 'sessions rename *'
            printf '%s\n' --color
        case 'sessions kill' 'sessions kill *'
            printf '%s\n' --signal --grace --color
        case 'sessions cleanup' 'sessions cleanup *'
            printf '%s\n' --older-than --state --tag --color
        case 'attach' 'attach *'
            printf '%s\n' --detach-key --color
        case 'record' 'record *'
            printf '%s\n' -o --output --from --to --format --title --idle-limit --theme --max-size --profile --name --size --cwd --env --color
        case 'play' 'play *'
            printf '%s\n' -s --speed --idle-limit --from --to --color
        case 'cast info' 'cast info *'
            printf '%s\n' --timing --idle-limit --color
        case 'cast convert' 'cast convert *'
            printf '%s\n' --format --timing -o --output --color
        case 'cast cut' 'cast cut *'
            printf '%s\n' --from --to --format -o --output --color
        case 'cast join' 'cast join *'
            printf '%s\n' --format -o --output --color
        case 'cast speed' 'cast speed *'
            printf '%s\n' --idle-limit --format -o --output --color
        case 'cast quantize' 'cast quantize *'
            printf '%s\n' --fps --within --format -o --output --color
        case 'cast screen' 'cast screen *'
            printf '%s\n' --at --format --theme --scrollback --color
        case 'cast grep' 'cast grep *'
            printf '%s\n' --color
        case 'cast redact' 'cast redact *'
            printf '%s\n' --pattern --replace -o --output --color
        case 'cast render' 'cast render *'
            printf '%s\n' -o --output --format --at --from --to --theme --size --speed --idle-limit --fps --color
        case 'install' 'install *'
            printf '%s\n' --file --path --connect-timeout --color
        case 'doctor' 'doctor *'
            printf '%s\n' --connect-timeout --color
        case 'help' 'help *'
            printf '%s\n' --color
        case 'version' 'version *'
            printf '%s\n' --color
        case '*'
            printf '%s\n' --color
    end
end

# Prints the words before the cursor that are not options.
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

# Succeeds if the words are the path $argv[3..-1], followed by $argv[1] to $argv[2] more words.
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

complete -c vt -n '__vt_at 0 0' -a profile -d 'save servers as profiles'
complete -c vt -n '__vt_at 0 0' -a host -d 'manage the host keys of servers'
complete -c vt -n '__vt_at 0 0' -a exec -d 'run a command on one or many servers'
complete -c vt -n '__vt_at 0 0' -a ssh -d 'run a command on a server, in the syntax of ssh(1)'
complete -c vt -n '__vt_at 0 0' -a sessions -d 'keep programs running after you disconnect'
complete -c vt -n '__vt_at 0 0' -a attach -d 'attach to a session'
complete -c vt -n '__vt_at 0 0' -a record -d 'record a session or a command as an asciicast'
complete -c vt -n '__vt_at 0 0' -a play -d 'play a recording'
complete -c vt -n '__vt_at 0 0' -a cast -d 'inspect and edit recordings'
complete -c vt -n '__vt_at 0 0' -a install -d 'install vt on a server'
complete -c vt -n '__vt_at 0 0' -a doctor -d 'check whether sessions work and survive a logout'
complete -c vt -n '__vt_at 0 0' -a help -d 'show help for vt, a command, or the exit statuses'
complete -c vt -n '__vt_at 0 0' -a version -d 'show the version of vt'
complete -c vt -n '__vt_at 0 0' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 0' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 0' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 0' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 0' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 profile' -a add -d 'save a server'
complete -c vt -n '__vt_at 0 0 profile' -a list -d 'list saved servers'
complete -c vt -n '__vt_at 0 0 profile' -a show -d 'show a saved server'
complete -c vt -n '__vt_at 0 0 profile' -a edit -d 'change a saved server'
complete -c vt -n '__vt_at 0 0 profile' -a remove -d 'remove saved servers and their secrets'
complete -c vt -n '__vt_at 0 0 profile' -a rename -d 'rename a saved server'
complete -c vt -n '__vt_at 0 0 profile' -a import -d 'import hosts from ~/.ssh/config'
complete -c vt -n '__vt_at 0 0 profile' -a test -d 'test the connection to a saved server step by step'
complete -c vt -n '__vt_at 0 0 profile' -a connections -d 'list or close the connections that commands share'
complete -c vt -n '__vt_at 0 0 profile' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 0 profile' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 0 profile' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 0 profile' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 0 profile' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 host' -a list -d 'list known host keys'
complete -c vt -n '__vt_at 0 0 host' -a trust -d 'trust the host keys of servers'
complete -c vt -n '__vt_at 0 0 host' -a forget -d 'remove the host keys of servers'
complete -c vt -n '__vt_at 0 0 host' -a scan -d 'show the host keys of servers'
complete -c vt -n '__vt_at 0 0 host' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 0 host' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 0 host' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 0 host' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 0 host' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 sessions' -a create -d 'start a program that keeps running after you disconnect'
complete -c vt -n '__vt_at 0 0 sessions' -a list -d 'list sessions on this machine and on servers'
complete -c vt -n '__vt_at 0 0 sessions' -a show -d 'show the details of a session'
complete -c vt -n '__vt_at 0 0 sessions' -a logs -d 'print the output of a session, byte for byte'
complete -c vt -n '__vt_at 0 0 sessions' -a send -d 'send input to a session'
complete -c vt -n '__vt_at 0 0 sessions' -a wait -d 'wait for a line, a prompt, silence, or the end of a session'
complete -c vt -n '__vt_at 0 0 sessions' -a screen -d 'show the screen of a session'
complete -c vt -n '__vt_at 0 0 sessions' -a resize -d 'resize a session\'s terminal'
complete -c vt -n '__vt_at 0 0 sessions' -a rename -d 'rename a session'
complete -c vt -n '__vt_at 0 0 sessions' -a kill -d 'end sessions and all processes they started'
complete -c vt -n '__vt_at 0 0 sessions' -a cleanup -d 'remove ended sessions'
complete -c vt -n '__vt_at 0 0 sessions' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 0 sessions' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 0 sessions' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 0 sessions' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 0 sessions' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 cast' -a info -d 'show information about a recording'
complete -c vt -n '__vt_at 0 0 cast' -a convert -d 'convert a recording to another format'
complete -c vt -n '__vt_at 0 0 cast' -a cut -d 'extract or remove part of a recording'
complete -c vt -n '__vt_at 0 0 cast' -a join -d 'concatenate recordings'
complete -c vt -n '__vt_at 0 0 cast' -a speed -d 'change the speed of a recording, or shorten its pauses'
complete -c vt -n '__vt_at 0 0 cast' -a quantize -d 'merge output events that are close together'
complete -c vt -n '__vt_at 0 0 cast' -a screen -d 'show the screen at a position in a recording'
complete -c vt -n '__vt_at 0 0 cast' -a grep -d 'search the text shown in recordings'
complete -c vt -n '__vt_at 0 0 cast' -a redact -d 'remove secrets from a recording'
complete -c vt -n '__vt_at 0 0 cast' -a render -d 'render a recording as an animated image'
complete -c vt -n '__vt_at 0 0 cast' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 0 cast' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 0 cast' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 0 cast' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 0 cast' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 1 1 profile add' -f -a '(__vt_list hosts)'
complete -c vt -n '__vt_at 0 99 profile add' -s l -l user -r -f -d 'log in as this user'
complete -c vt -n '__vt_at 0 99 profile add' -s p -l port -r -f -d 'connect to this port'
complete -c vt -n '__vt_at 0 99 profile add' -s i -l identity -r -F -d 'log in with this private key'
complete -c vt -n '__vt_at 0 99 profile add' -l no-agent -d 'do not use the keys of the SSH agent'
complete -c vt -n '__vt_at 0 99 profile add' -l agent -d 'try the keys of the SSH agent first (the default)'
complete -c vt -n '__vt_at 0 99 profile add' -l password-stdin -d 'store the first line of standard input as the password'
complete -c vt -n '__vt_at 0 99 profile add' -l password-env -r -f -a '(set -nx)' -d 'read the password from an environment variable'
complete -c vt -n '__vt_at 0 99 profile add' -l password-file -r -F -d 'read the password from the first line of a file'
complete -c vt -n '__vt_at 0 99 profile add' -l password-command -r -f -a '(__fish_complete_command)' -d 'read the password from the first line of output of a shell command'
complete -c vt -n '__vt_at 0 99 profile add' -l passphrase-stdin -d 'store the first line of standard input as the passphrase'
complete -c vt -n '__vt_at 0 99 profile add' -l passphrase-env -r -f -a '(set -nx)' -d 'read the passphrase from an environment variable'
complete -c vt -n '__vt_at 0 99 profile add' -l passphrase-file -r -F -d 'read the passphrase from the first line of a file'
complete -c vt -n '__vt_at 0 99 profile add' -l passphrase-command -r -f -a '(__fish_complete_command)' -d 'read the passphrase from the first line of output of a shell command'
complete -c vt -n '__vt_at 0 99 profile add' -l secret-store -x -a 'auto file' -d 'choose where secrets from standard input are stored'
complete -c vt -n '__vt_at 0 99 profile add' -s J -l jump -r -f -a '(__vt_list profiles)' -d 'connect through this jump host'
complete -c vt -n '__vt_at 0 99 profile add' -l proxy-command -r -f -a '(__fish_complete_command)' -d 'connect through the standard input and output of a shell command'
complete -c vt -n '__vt_at 0 99 profile add' -l via -r -f -a '(__fish_complete_command)' -d 'run commands through the standard streams of a program instead of SSH'
complete -c vt -n '__vt_at 0 99 profile add' -l host-key-policy -x -a 'accept-new strict' -d 'accept and store the keys of new hosts, or reject them'
complete -c vt -n '__vt_at 0 99 profile add' -l host-key -r -f -d 'trust only the host key with this fingerprint, written as SHA256:BASE64'
complete -c vt -n '__vt_at 0 99 profile add' -l known-hosts -r -F -d 'also read this known_hosts file'
complete -c vt -n '__vt_at 0 99 profile add' -l allow-algorithm -x -a 'diffie-hellman-group14-sha1 diffie-hellman-group-exchange-sha1 diffie-hellman-group1-sha1 ssh-rsa ssh-dss aes256-cbc rijndael-cbc@lysator.liu.se aes192-cbc aes128-cbc 3des-cbc blowfish-cbc cast128-cbc arcfour128 arcfour hmac-sha1 hmac-sha1-etm@openssh.com hmac-sha1-96 hmac-ripemd160 hmac-ripemd160@openssh.com hmac-md5 hmac-md5-96' -d 'allow a weak algorithm for this server'
complete -c vt -n '__vt_at 0 99 profile add' -l connect-timeout -r -f -d 'time out if logging in takes longer than this'
complete -c vt -n '__vt_at 0 99 profile add' -l keep-alive -r -f -d 'send a keep-alive after this long without data, at most once every 2s; 0s disables keep-alives'
complete -c vt -n '__vt_at 0 99 profile add' -l keep-alive-count -r -f -d 'disconnect after N unanswered keep-alives'
complete -c vt -n '__vt_at 0 99 profile add' -l share -r -f -d 'keep the connection for other commands until unused for this long; \'off\' disables sharing'
complete -c vt -n '__vt_at 0 99 profile add' -l cwd -r -f -d 'run commands in this directory'
complete -c vt -n '__vt_at 0 99 profile add' -l env -r -f -d 'set an environment variable for commands'
complete -c vt -n '__vt_at 0 99 profile add' -l shell -r -f -d 'run shell commands with this program instead of the login shell'
complete -c vt -n '__vt_at 0 99 profile add' -l tag -r -f -a '(__vt_list tags)' -d 'add a tag, to select several profiles at once'
complete -c vt -n '__vt_at 0 99 profile add' -l note -r -f -d 'store a note'
complete -c vt -n '__vt_at 0 99 profile add' -l replace -d 'replace an existing profile with this name'
complete -c vt -n '__vt_at 0 99 profile add' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile add' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile add' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile add' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile add' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 profile list' -l tag -r -f -a '(__vt_list tags)' -d 'list only profiles with this tag; if repeated, with all of the tags'
complete -c vt -n '__vt_at 0 99 profile list' -l search -r -f -d 'list only profiles with this text in their name, host, user, program, note or tags'
complete -c vt -n '__vt_at 0 99 profile list' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile list' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile list' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile list' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile list' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 profile show' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 profile show' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile show' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile show' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile show' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile show' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 profile edit' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 profile edit' -l host -r -f -a '(__vt_list hosts)' -d 'connect to this host'
complete -c vt -n '__vt_at 0 99 profile edit' -s l -l user -r -f -d 'log in as this user'
complete -c vt -n '__vt_at 0 99 profile edit' -s p -l port -r -f -d 'connect to this port'
complete -c vt -n '__vt_at 0 99 profile edit' -s i -l identity -r -F -d 'log in with this private key'
complete -c vt -n '__vt_at 0 99 profile edit' -l no-agent -d 'do not use the keys of the SSH agent'
complete -c vt -n '__vt_at 0 99 profile edit' -l agent -d 'try the keys of the SSH agent first (the default)'
complete -c vt -n '__vt_at 0 99 profile edit' -l password-stdin -d 'store the first line of standard input as the password'
complete -c vt -n '__vt_at 0 99 profile edit' -l password-env -r -f -a '(set -nx)' -d 'read the password from an environment variable'
complete -c vt -n '__vt_at 0 99 profile edit' -l password-file -r -F -d 'read the password from the first line of a file'
complete -c vt -n '__vt_at 0 99 profile edit' -l password-command -r -f -a '(__fish_complete_command)' -d 'read the password from the first line of output of a shell command'
complete -c vt -n '__vt_at 0 99 profile edit' -l passphrase-stdin -d 'store the first line of standard input as the passphrase'
complete -c vt -n '__vt_at 0 99 profile edit' -l passphrase-env -r -f -a '(set -nx)' -d 'read the passphrase from an environment variable'
complete -c vt -n '__vt_at 0 99 profile edit' -l passphrase-file -r -F -d 'read the passphrase from the first line of a file'
complete -c vt -n '__vt_at 0 99 profile edit' -l passphrase-command -r -f -a '(__fish_complete_command)' -d 'read the passphrase from the first line of output of a shell command'
complete -c vt -n '__vt_at 0 99 profile edit' -l secret-store -x -a 'auto file' -d 'choose where secrets from standard input are stored'
complete -c vt -n '__vt_at 0 99 profile edit' -s J -l jump -r -f -a '(__vt_list profiles)' -d 'connect through this jump host'
complete -c vt -n '__vt_at 0 99 profile edit' -l proxy-command -r -f -a '(__fish_complete_command)' -d 'connect through the standard input and output of a shell command'
complete -c vt -n '__vt_at 0 99 profile edit' -l via -r -f -a '(__fish_complete_command)' -d 'run commands through the standard streams of a program instead of SSH'
complete -c vt -n '__vt_at 0 99 profile edit' -l host-key-policy -x -a 'accept-new strict' -d 'accept and store the keys of new hosts, or reject them'
complete -c vt -n '__vt_at 0 99 profile edit' -l host-key -r -f -d 'trust only the host key with this fingerprint, written as SHA256:BASE64'
complete -c vt -n '__vt_at 0 99 profile edit' -l known-hosts -r -F -d 'also read this known_hosts file'
complete -c vt -n '__vt_at 0 99 profile edit' -l allow-algorithm -x -a 'diffie-hellman-group14-sha1 diffie-hellman-group-exchange-sha1 diffie-hellman-group1-sha1 ssh-rsa ssh-dss aes256-cbc rijndael-cbc@lysator.liu.se aes192-cbc aes128-cbc 3des-cbc blowfish-cbc cast128-cbc arcfour128 arcfour hmac-sha1 hmac-sha1-etm@openssh.com hmac-sha1-96 hmac-ripemd160 hmac-ripemd160@openssh.com hmac-md5 hmac-md5-96' -d 'allow a weak algorithm for this server'
complete -c vt -n '__vt_at 0 99 profile edit' -l connect-timeout -r -f -d 'time out if logging in takes longer than this'
complete -c vt -n '__vt_at 0 99 profile edit' -l keep-alive -r -f -d 'send a keep-alive after this long without data, at most once every 2s; 0s disables keep-alives'
complete -c vt -n '__vt_at 0 99 profile edit' -l keep-alive-count -r -f -d 'disconnect after N unanswered keep-alives'
complete -c vt -n '__vt_at 0 99 profile edit' -l share -r -f -d 'keep the connection for other commands until unused for this long; \'off\' disables sharing'
complete -c vt -n '__vt_at 0 99 profile edit' -l cwd -r -f -d 'run commands in this directory'
complete -c vt -n '__vt_at 0 99 profile edit' -l env -r -f -d 'set an environment variable for commands'
complete -c vt -n '__vt_at 0 99 profile edit' -l shell -r -f -d 'run shell commands with this program instead of the login shell'
complete -c vt -n '__vt_at 0 99 profile edit' -l tag -r -f -a '(__vt_list tags)' -d 'add a tag, to select several profiles at once'
complete -c vt -n '__vt_at 0 99 profile edit' -l note -r -f -d 'store a note'
complete -c vt -n '__vt_at 0 99 profile edit' -l unset -x -a 'user port identity agent password passphrase jump proxy-command via host-key known-hosts allow-algorithm connect-timeout keep-alive keep-alive-count share cwd env shell tag note' -d 'reset a field to its default'
complete -c vt -n '__vt_at 0 99 profile edit' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile edit' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile edit' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile edit' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile edit' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 profile remove' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 profile remove' -l keep-secrets -d 'keep the secrets in the secret store, for example if it cannot be reached'
complete -c vt -n '__vt_at 0 99 profile remove' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile remove' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile remove' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile remove' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile remove' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 profile rename' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 profile rename' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile rename' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile rename' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile rename' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile rename' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 profile import' -F
complete -c vt -n '__vt_at 0 99 profile import' -l host -r -f -d 'import only hosts that match PATTERN, with the wildcards * and ?'
complete -c vt -n '__vt_at 0 99 profile import' -l tag -r -f -a '(__vt_list tags)' -d 'add this tag to every profile'
complete -c vt -n '__vt_at 0 99 profile import' -l replace -d 'replace existing profiles, but keep their secrets, notes and history'
complete -c vt -n '__vt_at 0 99 profile import' -l dry-run -d 'show what would be imported without changing anything'
complete -c vt -n '__vt_at 0 99 profile import' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile import' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile import' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile import' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile import' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 profile test' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 profile test' -l connect-timeout -r -f -d 'time out if logging in takes longer than this'
complete -c vt -n '__vt_at 0 99 profile test' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile test' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile test' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile test' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile test' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 profile connections' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 profile connections' -l close -d 'close the connections; those in use are closed when the commands that use them have ended'
complete -c vt -n '__vt_at 0 99 profile connections' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 profile connections' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 profile connections' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 profile connections' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 profile connections' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 host list' -f -a '(__vt_list known-hosts)'
complete -c vt -n '__vt_at 0 99 host list' -l tag -r -f -a '(__vt_list tags)' -d 'select all profiles with this tag; if repeated, with all of the tags'
complete -c vt -n '__vt_at 0 99 host list' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 host list' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 host list' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 host list' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 host list' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 host trust; and not __fish_contains_opt tag' -f -a '(__vt_list known-hosts)'
complete -c vt -n '__vt_at 0 99 host trust' -l all -d 'trust all keys that the server presents now'
complete -c vt -n '__vt_at 0 99 host trust' -l replace -d 'remove all other keys of the server'
complete -c vt -n '__vt_at 0 99 host trust' -l tag -r -f -a '(__vt_list tags)' -d 'select all profiles with this tag; if repeated, with all of the tags'
complete -c vt -n '__vt_at 0 99 host trust' -s J -l jump -r -f -a '(__vt_list profiles)' -d 'connect through this jump host'
complete -c vt -n '__vt_at 0 99 host trust' -l connect-timeout -r -f -d 'time out if a server has not responded after this time'
complete -c vt -n '__vt_at 0 99 host trust' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 host trust' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 host trust' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 host trust' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 host trust' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 host forget' -f -a '(__vt_list known-hosts)'
complete -c vt -n '__vt_at 0 99 host forget' -l tag -r -f -a '(__vt_list tags)' -d 'select all profiles with this tag; if repeated, with all of the tags'
complete -c vt -n '__vt_at 0 99 host forget' -l dry-run -d 'list the keys without removing anything'
complete -c vt -n '__vt_at 0 99 host forget' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 host forget' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 host forget' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 host forget' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 host forget' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 host scan' -f -a '(__vt_list known-hosts)'
complete -c vt -n '__vt_at 0 99 host scan' -l tag -r -f -a '(__vt_list tags)' -d 'select all profiles with this tag; if repeated, with all of the tags'
complete -c vt -n '__vt_at 0 99 host scan' -s J -l jump -r -f -a '(__vt_list profiles)' -d 'connect through this jump host'
complete -c vt -n '__vt_at 0 99 host scan' -l connect-timeout -r -f -d 'time out if a server has not responded after this time'
complete -c vt -n '__vt_at 0 99 host scan' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 host scan' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 host scan' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 host scan' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 host scan' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 exec; and not __fish_contains_opt tag all' -f -a '(__vt_list targets)'
complete -c vt -n '__vt_at 0 0 exec; and __fish_contains_opt tag all' -f -a '(__fish_complete_command)'
complete -c vt -n '__vt_at 1 1 exec' -f -a '(__fish_complete_command)'
complete -c vt -n '__vt_at 2 99 exec' -F
complete -c vt -n '__vt_at 0 1 exec' -s l -l user -r -f -d 'log in as this user'
complete -c vt -n '__vt_at 0 1 exec' -s p -l port -r -f -d 'connect to this port'
complete -c vt -n '__vt_at 0 1 exec' -s i -l identity -r -F -d 'log in with this private key instead of those in the profile'
complete -c vt -n '__vt_at 0 1 exec' -s t -l pty -d 'allocate a terminal for the program'
complete -c vt -n '__vt_at 0 1 exec' -l term -r -f -d 'set the terminal type'
complete -c vt -n '__vt_at 0 1 exec' -l size -r -f -d 'set the terminal size'
complete -c vt -n '__vt_at 0 1 exec' -l cwd -r -f -d 'run the command in this directory'
complete -c vt -n '__vt_at 0 1 exec' -l env -r -f -d 'set an environment variable for the command'
complete -c vt -n '__vt_at 0 1 exec' -l send-env -r -f -a '(set -nx)' -d 'send this environment variable to the server'
complete -c vt -n '__vt_at 0 1 exec' -l stdin -r -F -d 'read input from this file, or from standard input if it is -'
complete -c vt -n '__vt_at 0 1 exec' -s n -l no-stdin -d 'give the command no input'
complete -c vt -n '__vt_at 0 1 exec' -l timeout -r -f -d 'time out if a target has not finished after this time'
complete -c vt -n '__vt_at 0 1 exec' -l connect-timeout -r -f -d 'time out if logging in takes longer than this'
complete -c vt -n '__vt_at 0 1 exec' -l no-share -d 'do not share the connection with other commands'
complete -c vt -n '__vt_at 0 1 exec' -l tag -r -f -a '(__vt_list tags)' -d 'run on all profiles with this tag; if repeated, with all of the tags'
complete -c vt -n '__vt_at 0 1 exec' -l all -d 'run on all profiles'
complete -c vt -n '__vt_at 0 1 exec' -l parallel -r -f -d 'run on at most N targets at once'
complete -c vt -n '__vt_at 0 1 exec' -l fail-fast -d 'stop all targets as soon as one fails'
complete -c vt -n '__vt_at 0 1 exec' -l gather -d 'print output when all targets have finished, and identical output only once'
complete -c vt -n '__vt_at 0 1 exec' -l prefix -d 'prefix each line with the name of its target, even with one target'
complete -c vt -n '__vt_at 0 1 exec' -s T -l no-pty -d 'do not allocate a terminal (the default)'
complete -c vt -n '__vt_at 0 1 exec' -s 4 -l ipv4 -d 'connect only to IPv4 addresses'
complete -c vt -n '__vt_at 0 1 exec' -s 6 -l ipv6 -d 'connect only to IPv6 addresses'
complete -c vt -n '__vt_at 0 1 exec' -s o -l option -r -f -d 'set an option of ssh_config(5)'
complete -c vt -n '__vt_at 0 1 exec' -s e -l escape -x -a 'none' -d 'ignored, for compatibility with ssh(1)'
complete -c vt -n '__vt_at 0 1 exec' -s x -l no-x11 -d 'ignored, for compatibility with ssh(1): X11 is never forwarded'
complete -c vt -n '__vt_at 0 1 exec' -s a -l no-agent-forwarding -d 'ignored, for compatibility with ssh(1): the agent is never forwarded'
complete -c vt -n '__vt_at 0 1 exec' -s C -l compression -d 'ignored, for compatibility with ssh(1)'
complete -c vt -n '__vt_at 0 1 exec' -l password-env -r -f -a '(set -nx)' -d 'read the password from an environment variable'
complete -c vt -n '__vt_at 0 1 exec' -l password-file -r -F -d 'read the password from the first line of a file'
complete -c vt -n '__vt_at 0 1 exec' -l password-command -r -f -a '(__fish_complete_command)' -d 'read the password from the first line of output of a shell command'
complete -c vt -n '__vt_at 0 1 exec' -l passphrase-env -r -f -a '(set -nx)' -d 'read the passphrase from an environment variable'
complete -c vt -n '__vt_at 0 1 exec' -l passphrase-file -r -F -d 'read the passphrase from the first line of a file'
complete -c vt -n '__vt_at 0 1 exec' -l passphrase-command -r -f -a '(__fish_complete_command)' -d 'read the passphrase from the first line of output of a shell command'
complete -c vt -n '__vt_at 0 1 exec' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 1 exec' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 1 exec' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 1 exec' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 1 exec' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 ssh' -f -a '(__vt_list targets)'
complete -c vt -n '__vt_at 1 1 ssh' -f -a '(__fish_complete_command)'
complete -c vt -n '__vt_at 2 99 ssh' -F
complete -c vt -n '__vt_at 0 1 ssh' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 1 ssh' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 1 ssh' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 1 ssh' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 1 ssh' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 1 1 sessions create' -f -a '(__fish_complete_command)'
complete -c vt -n '__vt_at 2 99 sessions create' -F
complete -c vt -n '__vt_at 0 1 sessions create' -l cwd -r -f -a '(__fish_complete_directories (commandline -ct))' -d 'start in this directory'
complete -c vt -n '__vt_at 0 1 sessions create' -l env -r -f -d 'set an environment variable for the session'
complete -c vt -n '__vt_at 0 1 sessions create' -l pass-env -r -f -a '(set -nx)' -d 'pass this environment variable to the session'
complete -c vt -n '__vt_at 0 1 sessions create' -l size -r -f -d 'set the terminal size'
complete -c vt -n '__vt_at 0 1 sessions create' -l term -r -f -d 'set the terminal type'
complete -c vt -n '__vt_at 0 1 sessions create' -l tag -r -f -d 'add a tag to the session'
complete -c vt -n '__vt_at 0 1 sessions create' -l log-max -r -f -d 'keep at least the last SIZE of output; discard older output'
complete -c vt -n '__vt_at 0 1 sessions create' -l log-input -d 'log input, for recordings with --input'
complete -c vt -n '__vt_at 0 1 sessions create' -l if-exists -x -a 'fail ok replace' -d 'choose what to do if a session with this name exists'
complete -c vt -n '__vt_at 0 1 sessions create' -l require-survive -d 'fail unless the session is certain to survive a logout'
complete -c vt -n '__vt_at 0 1 sessions create' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 1 sessions create' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 1 sessions create' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 1 sessions create' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 1 sessions create' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 sessions list' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 sessions list' -l all-profiles -d 'list sessions on this machine and on the servers of all profiles'
complete -c vt -n '__vt_at 0 99 sessions list' -l state -x -a 'starting running exited lost failed unreadable' -d 'list only sessions in this state'
complete -c vt -n '__vt_at 0 99 sessions list' -l tag -r -f -d 'list only sessions with this tag; if repeated, with all of the tags'
complete -c vt -n '__vt_at 0 99 sessions list' -l watch -r -f -d 'repeat the list at this interval'
complete -c vt -n '__vt_at 0 99 sessions list' -l timeout -r -f -d 'time out if a server has not responded after this time'
complete -c vt -n '__vt_at 0 99 sessions list' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions list' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions list' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions list' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions list' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 sessions show' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions show' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions show' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions show' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions show' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions show' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 sessions logs' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions logs' -s f -l follow -d 'continue with new output until the session ends'
complete -c vt -n '__vt_at 0 99 sessions logs' -l from -r -f -d 'start at this offset'
complete -c vt -n '__vt_at 0 99 sessions logs' -l tail -r -f -d 'start LINES lines before the end'
complete -c vt -n '__vt_at 0 99 sessions logs' -l since -r -f -d 'start at this time: 2026-11-21T09:30:00Z, or 5m for five minutes ago'
complete -c vt -n '__vt_at 0 99 sessions logs' -l plain -d 'print the lines of text that a terminal of the session\'s width would show'
complete -c vt -n '__vt_at 0 99 sessions logs' -l format -x -a 'raw cast' -d 'write the raw bytes, or an asciicast'
complete -c vt -n '__vt_at 0 99 sessions logs' -l exit-status -d 'exit with the status of the session\'s program, or 255 if vt fails'
complete -c vt -n '__vt_at 0 99 sessions logs' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions logs' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions logs' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions logs' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions logs' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 sessions send' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions send' -l stdin -d 'send standard input, byte for byte until it ends'
complete -c vt -n '__vt_at 0 99 sessions send' -l key -r -f -d 'send a key, such as C-c, M-x, S-Tab, Up, F5, PageUp or Escape'
complete -c vt -n '__vt_at 0 99 sessions send' -l enter -d 'send Enter after the other input'
complete -c vt -n '__vt_at 0 99 sessions send' -l timeout -r -f -d 'time out if the terminal has not accepted all input after this time'
complete -c vt -n '__vt_at 0 99 sessions send' -l paste -d 'send the text as a bracketed paste'
complete -c vt -n '__vt_at 0 99 sessions send' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions send' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions send' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions send' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions send' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 sessions wait' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions wait' -l exit -d 'wait for the program to exit, and exit with its status'
complete -c vt -n '__vt_at 0 99 sessions wait' -l match -r -f -d 'wait for a line that matches EXPRESSION'
complete -c vt -n '__vt_at 0 99 sessions wait' -s i -l ignore-case -d 'ignore case'
complete -c vt -n '__vt_at 0 99 sessions wait' -l raw -d 'match the raw output, without escape sequences'
complete -c vt -n '__vt_at 0 99 sessions wait' -l prompt -d 'wait for the prompt of a shell that marks prompts (OSC 133)'
complete -c vt -n '__vt_at 0 99 sessions wait' -l idle -r -f -d 'wait until there has been no output for DURATION'
complete -c vt -n '__vt_at 0 99 sessions wait' -l from -r -f -d 'consider only output at or after this offset'
complete -c vt -n '__vt_at 0 99 sessions wait' -l timeout -r -f -d 'stop waiting after this time'
complete -c vt -n '__vt_at 0 99 sessions wait' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions wait' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions wait' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions wait' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions wait' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 sessions screen' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions screen' -l format -x -a 'text ansi json html svg' -d 'write plain text, ANSI-colored text, JSON, an HTML page or an SVG image'
complete -c vt -n '__vt_at 0 99 sessions screen' -l theme -x -a 'vscode-dark default-dark default-light solarized-dark solarized-light dracula monokai nord tokyo-night' -d 'use the colors of this theme'
complete -c vt -n '__vt_at 0 99 sessions screen' -l join -d 'join wrapped rows into one line'
complete -c vt -n '__vt_at 0 99 sessions screen' -l scrollback -r -f -d 'include up to ROWS rows that scrolled off the screen'
complete -c vt -n '__vt_at 0 99 sessions screen' -l at -r -f -d 'show the screen as it was at this offset'
complete -c vt -n '__vt_at 0 99 sessions screen' -l size -r -f -d 'show the screen as a terminal of this size would'
complete -c vt -n '__vt_at 0 99 sessions screen' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions screen' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions screen' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions screen' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions screen' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 sessions resize' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions resize' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions resize' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions resize' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions resize' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions resize' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 sessions rename' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions rename' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions rename' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions rename' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions rename' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions rename' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 sessions kill' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions kill' -l signal -r -f -d 'only send this signal, such as INT or USR1'
complete -c vt -n '__vt_at 0 99 sessions kill' -l grace -r -f -d 'wait this long before sending KILL'
complete -c vt -n '__vt_at 0 99 sessions kill' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions kill' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions kill' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions kill' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions kill' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 sessions cleanup' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -l all -d 'remove all ended sessions'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -l all-profiles -d 'remove sessions on this machine and on the servers of all profiles'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -l older-than -r -f -d 'remove only sessions that ended at least this long ago'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -l state -x -a 'exited lost failed unreadable' -d 'remove only sessions in this state'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -l tag -r -f -d 'remove only sessions with this tag; if repeated, with all of the tags'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -l dry-run -d 'print the IDs without removing anything'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 sessions cleanup' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 attach' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 0 99 attach' -l read-only -d 'only watch: send no input and do not resize the session'
complete -c vt -n '__vt_at 0 99 attach' -l no-resize -d 'do not resize the session\'s terminal'
complete -c vt -n '__vt_at 0 99 attach' -l detach-key -r -f -d 'detach when this key is pressed'
complete -c vt -n '__vt_at 0 99 attach' -l no-reconnect -d 'exit if the connection is lost'
complete -c vt -n '__vt_at 0 99 attach' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 attach' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 attach' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 attach' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 attach' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 record' -f -a '(__vt_list sessions)'
complete -c vt -n '__vt_at 1 1 record' -f -a '(__fish_complete_command)'
complete -c vt -n '__vt_at 2 99 record' -F
complete -c vt -n '__vt_at 0 1 record' -s o -l output -r -F -d 'write to this file, or to standard output if it is \'-\''
complete -c vt -n '__vt_at 0 1 record' -s f -l follow -d 'continue until the session ends'
complete -c vt -n '__vt_at 0 1 record' -l from -r -f -d 'start at this position'
complete -c vt -n '__vt_at 0 1 record' -l to -r -f -d 'stop at this position'
complete -c vt -n '__vt_at 0 1 record' -l format -x -a 'v3 v2 raw txt' -d 'write asciicast v3 or v2, the raw output, or the text that was shown'
complete -c vt -n '__vt_at 0 1 record' -l title -r -f -d 'set the title of the recording'
complete -c vt -n '__vt_at 0 1 record' -l idle-limit -r -f -d 'set the limit to which players shorten pauses; recorded times are not changed'
complete -c vt -n '__vt_at 0 1 record' -l theme -x -a 'vscode-dark default-dark default-light solarized-dark solarized-light dracula monokai nord tokyo-night' -d 'store the colors of this theme'
complete -c vt -n '__vt_at 0 1 record' -l input -d 'also record input, while the terminal echoes it'
complete -c vt -n '__vt_at 0 1 record' -l max-size -r -f -d 'stop recording before the file exceeds this size'
complete -c vt -n '__vt_at 0 1 record' -l append -d 'append to FILE, an existing asciicast, in its format'
complete -c vt -n '__vt_at 0 1 record' -l force -d 'overwrite FILE if it exists'
complete -c vt -n '__vt_at 0 1 record' -l profile -r -f -a '(__vt_list profiles)' -d 'run COMMAND on this server'
complete -c vt -n '__vt_at 0 1 record' -l name -r -f -d 'set the name of the session for COMMAND'
complete -c vt -n '__vt_at 0 1 record' -l keep -d 'keep the session of COMMAND and its log'
complete -c vt -n '__vt_at 0 1 record' -l size -r -f -d 'set the terminal size for COMMAND; the default is the size of this terminal, or 80x24'
complete -c vt -n '__vt_at 0 1 record' -l cwd -r -f -a '(__fish_complete_directories (commandline -ct))' -d 'run COMMAND in this directory'
complete -c vt -n '__vt_at 0 1 record' -l env -r -f -d 'set an environment variable for COMMAND'
complete -c vt -n '__vt_at 0 1 record' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 1 record' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 1 record' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 1 record' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 1 record' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 play' -F
complete -c vt -n '__vt_at 0 99 play' -s s -l speed -r -f -d 'multiply the playback speed by FACTOR, such as 2 or 0.5'
complete -c vt -n '__vt_at 0 99 play' -l instant -d 'play without pauses'
complete -c vt -n '__vt_at 0 99 play' -l idle-limit -r -f -d 'shorten pauses to this length'
complete -c vt -n '__vt_at 0 99 play' -l from -r -f -d 'start at this position'
complete -c vt -n '__vt_at 0 99 play' -l to -r -f -d 'stop at this position'
complete -c vt -n '__vt_at 0 99 play' -l markers -d 'pause at each marker until a key is pressed'
complete -c vt -n '__vt_at 0 99 play' -l loop -d 'repeat until interrupted'
complete -c vt -n '__vt_at 0 99 play' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 play' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 play' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 play' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 play' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 cast info' -F
complete -c vt -n '__vt_at 0 99 cast info' -l timing -r -F -d 'read timing from this file, written by script(1) in the classic or the advanced format'
complete -c vt -n '__vt_at 0 99 cast info' -l idle-limit -r -f -d 'count at most this much of each pause'
complete -c vt -n '__vt_at 0 99 cast info' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast info' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast info' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast info' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast info' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast info' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 cast convert' -F
complete -c vt -n '__vt_at 0 99 cast convert' -l format -x -a 'v3 v2 raw txt' -d 'write this format'
complete -c vt -n '__vt_at 0 99 cast convert' -l timing -r -F -d 'read timing from this file, written by script(1) in the classic or the advanced format'
complete -c vt -n '__vt_at 0 99 cast convert' -s o -l output -r -F -d 'write to this file'
complete -c vt -n '__vt_at 0 99 cast convert' -l force -d 'overwrite the --output file if it exists'
complete -c vt -n '__vt_at 0 99 cast convert' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast convert' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast convert' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast convert' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast convert' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast convert' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 cast cut' -F
complete -c vt -n '__vt_at 0 99 cast cut' -l from -r -f -d 'start of the part; the default is the beginning'
complete -c vt -n '__vt_at 0 99 cast cut' -l to -r -f -d 'end of the part; the default is the end of the recording'
complete -c vt -n '__vt_at 0 99 cast cut' -l remove -d 'remove the part and keep the rest'
complete -c vt -n '__vt_at 0 99 cast cut' -l format -x -a 'v3 v2' -d 'write this version; the default is the version of FILE, or v3 for v1'
complete -c vt -n '__vt_at 0 99 cast cut' -s o -l output -r -F -d 'write to this file'
complete -c vt -n '__vt_at 0 99 cast cut' -l force -d 'overwrite the --output file if it exists'
complete -c vt -n '__vt_at 0 99 cast cut' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast cut' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast cut' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast cut' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast cut' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast cut' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 cast join' -F
complete -c vt -n '__vt_at 0 99 cast join' -l no-reset -d 'do not reset the terminal between recordings'
complete -c vt -n '__vt_at 0 99 cast join' -l format -x -a 'v3 v2' -d 'write this version; the default is the version of FILE, or v3 for v1'
complete -c vt -n '__vt_at 0 99 cast join' -s o -l output -r -F -d 'write to this file'
complete -c vt -n '__vt_at 0 99 cast join' -l force -d 'overwrite the --output file if it exists'
complete -c vt -n '__vt_at 0 99 cast join' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast join' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast join' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast join' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast join' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast join' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 1 1 cast speed' -F
complete -c vt -n '__vt_at 0 99 cast speed' -l idle-limit -r -f -d 'shorten pauses to this length, such as 2s or 500ms'
complete -c vt -n '__vt_at 0 99 cast speed' -l format -x -a 'v3 v2' -d 'write this version; the default is the version of FILE, or v3 for v1'
complete -c vt -n '__vt_at 0 99 cast speed' -s o -l output -r -F -d 'write to this file'
complete -c vt -n '__vt_at 0 99 cast speed' -l force -d 'overwrite the --output file if it exists'
complete -c vt -n '__vt_at 0 99 cast speed' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast speed' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast speed' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast speed' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast speed' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast speed' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 cast quantize' -F
complete -c vt -n '__vt_at 0 99 cast quantize' -l fps -r -f -d 'write at most N output events per second'
complete -c vt -n '__vt_at 0 99 cast quantize' -l within -r -f -d 'merge output within this span, such as 50ms'
complete -c vt -n '__vt_at 0 99 cast quantize' -l format -x -a 'v3 v2' -d 'write this version; the default is the version of FILE, or v3 for v1'
complete -c vt -n '__vt_at 0 99 cast quantize' -s o -l output -r -F -d 'write to this file'
complete -c vt -n '__vt_at 0 99 cast quantize' -l force -d 'overwrite the --output file if it exists'
complete -c vt -n '__vt_at 0 99 cast quantize' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast quantize' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast quantize' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast quantize' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast quantize' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast quantize' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 cast screen' -F
complete -c vt -n '__vt_at 0 99 cast screen' -l at -r -f -d 'show the screen at this position'
complete -c vt -n '__vt_at 0 99 cast screen' -l format -x -a 'text ansi json html svg' -d 'write plain text, ANSI-colored text, JSON, an HTML page or an SVG image'
complete -c vt -n '__vt_at 0 99 cast screen' -l theme -x -a 'vscode-dark default-dark default-light solarized-dark solarized-light dracula monokai nord tokyo-night' -d 'use the colors of this theme'
complete -c vt -n '__vt_at 0 99 cast screen' -l join -d 'join wrapped rows into one line'
complete -c vt -n '__vt_at 0 99 cast screen' -l scrollback -r -f -d 'include up to ROWS rows that scrolled off the screen'
complete -c vt -n '__vt_at 0 99 cast screen' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast screen' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast screen' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast screen' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast screen' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast screen' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 1 99 cast grep' -F
complete -c vt -n '__vt_at 0 99 cast grep' -s i -l ignore-case -d 'ignore case'
complete -c vt -n '__vt_at 0 99 cast grep' -s c -l count -d 'print only the number of matching lines for each file'
complete -c vt -n '__vt_at 0 99 cast grep' -s l -l files-with-matches -d 'print only the names of files with a match'
complete -c vt -n '__vt_at 0 99 cast grep' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast grep' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast grep' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast grep' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast grep' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast grep' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 cast redact' -F
complete -c vt -n '__vt_at 0 99 cast redact' -l pattern -r -f -d 'replace matches of this POSIX extended regular expression (regex(7))'
complete -c vt -n '__vt_at 0 99 cast redact' -l secrets -d 'replace known kinds of secrets'
complete -c vt -n '__vt_at 0 99 cast redact' -l replace -r -f -d 'replace each cell with this character, which must be one cell wide'
complete -c vt -n '__vt_at 0 99 cast redact' -s o -l output -r -F -d 'write to this file'
complete -c vt -n '__vt_at 0 99 cast redact' -l force -d 'overwrite the --output file if it exists'
complete -c vt -n '__vt_at 0 99 cast redact' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast redact' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast redact' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast redact' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast redact' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast redact' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 cast render' -F
complete -c vt -n '__vt_at 0 99 cast render' -s o -l output -r -F -d 'write to this file'
complete -c vt -n '__vt_at 0 99 cast render' -l force -d 'overwrite the --output file if it exists'
complete -c vt -n '__vt_at 0 99 cast render' -l format -x -a 'svg gif html' -d 'render an animated SVG or GIF image, or an HTML page of still screens'
complete -c vt -n '__vt_at 0 99 cast render' -l at -r -f -d 'show the screen at this position (only with --format html)'
complete -c vt -n '__vt_at 0 99 cast render' -l from -r -f -d 'start at this position'
complete -c vt -n '__vt_at 0 99 cast render' -l to -r -f -d 'stop at this position'
complete -c vt -n '__vt_at 0 99 cast render' -l theme -x -a 'vscode-dark default-dark default-light solarized-dark solarized-light dracula monokai nord tokyo-night' -d 'use the colors of this theme'
complete -c vt -n '__vt_at 0 99 cast render' -l size -r -f -d 'show a terminal of this size instead of the recorded one'
complete -c vt -n '__vt_at 0 99 cast render' -l speed -r -f -d 'multiply the playback speed by FACTOR'
complete -c vt -n '__vt_at 0 99 cast render' -l idle-limit -r -f -d 'shorten pauses to this length'
complete -c vt -n '__vt_at 0 99 cast render' -l fps -r -f -d 'show at most N frames per second, from 1 to 30; the default for gif is 15'
complete -c vt -n '__vt_at 0 99 cast render' -l no-loop -d 'play once and stop at the final screen'
complete -c vt -n '__vt_at 0 99 cast render' -l lenient -d 'skip and report unreadable lines'
complete -c vt -n '__vt_at 0 99 cast render' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 cast render' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 cast render' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 cast render' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 cast render' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 install' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 install' -l file -r -F -d 'install this file instead of the running vt'
complete -c vt -n '__vt_at 0 99 install' -l path -r -f -d 'install to this path; relative paths start at the home directory on the server'
complete -c vt -n '__vt_at 0 99 install' -l force -d 'upload the file even if the same file is already installed'
complete -c vt -n '__vt_at 0 99 install' -l connect-timeout -r -f -d 'time out if logging in takes longer than this'
complete -c vt -n '__vt_at 0 99 install' -l no-share -d 'do not share the connection with other commands'
complete -c vt -n '__vt_at 0 99 install' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 install' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 install' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 install' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 install' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 0 doctor' -f -a '(__vt_list profiles)'
complete -c vt -n '__vt_at 0 99 doctor' -l connect-timeout -r -f -d 'time out if logging in takes longer than this'
complete -c vt -n '__vt_at 0 99 doctor' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 doctor' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 doctor' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 doctor' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 doctor' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 help' -f -a 'profile host exec ssh sessions attach record play cast install doctor help version exit-codes'
complete -c vt -n '__vt_at 0 99 help' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 help' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 help' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 help' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 help' -s h -l help -d 'show help; -h shows the short form'

complete -c vt -n '__vt_at 0 99 version' -l json -d 'write JSON to standard output, and errors as JSON'
complete -c vt -n '__vt_at 0 99 version' -s q -l quiet -d 'suppress notes and progress messages'
complete -c vt -n '__vt_at 0 99 version' -s v -l verbose -d 'print details of each step on standard error'
complete -c vt -n '__vt_at 0 99 version' -l color -x -a 'auto always never' -d 'use colors'
complete -c vt -n '__vt_at 0 99 version' -s h -l help -d 'show help; -h shows the short form'
