# bash completion for vt. Generated from the command table by 'make generate'.

_vt_topics='targets offsets lists exit-codes agents'

# Sets the variables that describe the command $1.
_vt_describe() {
    verbs='' options='' valued='' omitters='' operands=()
    case $1 in
    '')
        verbs='exec copy ls cat ssh forward sessions attach queue serve share filter transcribe record play cast snapshot rollback diff profile key host install doctor shell-init completion mcp help version'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'sessions')
        verbs='create run list show logs send exec wait screen history resize freeze pause resume reap ask mark rename kill cleanup'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'queue')
        verbs='add list flush drop'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'cast')
        verbs='info convert cut join speed quantize screen grep redact render'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'snapshot')
        verbs='create list show remove'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'profile')
        verbs='add list show edit remove rename import test connections'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'key')
        verbs='generate import list show deploy remove'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'host')
        verbs='list trust forget scan'
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    'exec')
        options='-t --pty --term --size --cwd --env --pass-env --send-env --stdin -n --no-stdin --script --timeout --connect-timeout --no-share -4 --ipv4 -6 --ipv6 --parallel --canary --rolling --pause --fail-fast --max-failures --stop-on-failure --retry-failed --shard --merge --gather --prefix --output-dir --force --summary --tag --all --targets-file --exclude --limit -l --user -p --port -i --identity --known-hosts -o --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command -T --no-pty -e --escape -x --no-x11 -a --no-agent-forwarding -C --compression --json -q --quiet -v --verbose --color -h --help'
        valued='--term --size --cwd --env --pass-env --send-env --stdin --script --timeout --connect-timeout --parallel --canary --rolling --pause --max-failures --retry-failed --shard --merge --output-dir --tag --targets-file --exclude --limit -l --user -p --port -i --identity --known-hosts -o --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command -e --escape --color'
        omitters='--tag --all --targets-file --merge'
        operands=(list:targets command)
        ;;
    'copy')
        options='-r --recursive -p --preserve --parents --resume -c --checksum --in-place --connections --parallel --timeout --connect-timeout --no-share --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --tag --all --targets-file --exclude --limit --json -q --quiet -v --verbose --color -h --help'
        valued='--connections --parallel --timeout --connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --tag --targets-file --exclude --limit --color'
        operands=(any... any)
        ;;
    'ls')
        options='--max --timeout --connect-timeout --no-share --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --fields --format --ids --filter --sort --json -q --quiet -v --verbose --color -h --help'
        valued='--max --timeout --connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --fields --format --filter --sort --color'
        operands=(list:files)
        ;;
    'cat')
        options='--max-bytes --timeout --connect-timeout --no-share --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--max-bytes --timeout --connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:files...)
        ;;
    'ssh')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(list:targets command)
        ;;
    'forward')
        options='-L --local -R --remote -D --socks --run --no-reconnect --connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='-L --local -R --remote -D --socks --run --connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:profiles)
        ;;
    'sessions create')
        options='--cwd --env --pass-env --size --term --tag --log-max --log-input --shell-integration --if-exists --keep-for --auto-snapshot --keep-snapshots --require-survive --rm --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--cwd --env --pass-env --size --term --tag --log-max --shell-integration --if-exists --keep-for --keep-snapshots --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(none command)
        ;;
    'sessions run')
        options='--cwd --env --pass-env --size --term --tag --log-max --log-input --shell-integration --if-exists --keep-for --auto-snapshot --keep-snapshots --require-survive --rm --on-interrupt --idle-timeout --return-on-input --plain --filter --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--cwd --env --pass-env --size --term --tag --log-max --shell-integration --if-exists --keep-for --keep-snapshots --on-interrupt --idle-timeout --filter --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(none command)
        ;;
    'sessions list')
        options='--all-profiles --state --tag --watch --timeout --targets-file --exclude --limit --fields --format --ids --filter --sort --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--state --tag --watch --timeout --targets-file --exclude --limit --fields --format --filter --sort --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:targets...)
        ;;
    'sessions show')
        options='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions)
        ;;
    'sessions logs')
        options='-f --follow --from --to --tail --since --turn --cursor-file --plain --filter --format --exit-status --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--from --to --tail --since --turn --cursor-file --filter --format --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions)
        ;;
    'sessions send')
        options='--stdin --file --text --key --enter --repeat --delay --timeout --paste --wait --regex --settle --print --max-output --force --click --button --clicks --drag --scroll --hover --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--file --text --key --repeat --delay --timeout --wait --settle --max-output --click --button --clicks --drag --scroll --hover --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none...)
        ;;
    'sessions exec')
        options='--assume-shell --file --stdin-line --stdin --plain --raw --screen --max-output --when-ready --timeout --idle-timeout --return-on-input --request-id --interrupt --timeout-status --repl --prompt --settle --force --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--assume-shell --file --max-output --when-ready --timeout --idle-timeout --request-id --timeout-status --repl --prompt --settle --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions command)
        ;;
    'sessions wait')
        options='--exit --match --fail-match -i --ignore-case --prompt --idle --screen --no-screen --title --regex --scrollback --settle --together --from --timeout --any --all --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--match --fail-match --idle --screen --no-screen --title --scrollback --settle --from --timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions...)
        ;;
    'sessions screen')
        options='--format --theme --scale --join --scrollback --at --turn --wait-change --timeout --size --region --cursor --find --regex -i --ignore-case --count --fg --bg --bold --dim --italic --underline --inverse --expect --update --mask --styles --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--format --theme --scale --scrollback --at --turn --timeout --size --region --find --count --fg --bg --expect --mask --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions)
        ;;
    'sessions history')
        options='--failed --since --match --limit --after --fields --format --ids --filter --sort --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--since --match --limit --after --fields --format --filter --sort --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions)
        ;;
    'sessions resize')
        options='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none)
        ;;
    'sessions freeze')
        options='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions...)
        ;;
    'sessions pause')
        options='--force --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions...)
        ;;
    'sessions resume')
        options='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions...)
        ;;
    'sessions reap')
        options='--idle --max-active --action --all-profiles --tag --dry-run --targets-file --exclude --limit --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--idle --max-active --action --tag --targets-file --exclude --limit --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:targets...)
        ;;
    'sessions ask')
        options='--detach --timeout --done --refuse --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none)
        ;;
    'sessions mark')
        options='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none)
        ;;
    'sessions rename')
        options='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none)
        ;;
    'sessions kill')
        options='--signal --grace --rm --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--signal --grace --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions...)
        ;;
    'sessions cleanup')
        options='--all --all-profiles --older-than --state --tag --dry-run --targets-file --exclude --limit --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--older-than --state --tag --targets-file --exclude --limit --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions...)
        ;;
    'attach')
        options='--create --cwd --env --pass-env --read-only --no-resize --size --detach-key --reconnect-for --no-reconnect --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--cwd --env --pass-env --size --detach-key --reconnect-for --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions command)
        ;;
    'queue add')
        options='--stdin --enter --line --ttl --json -q --quiet -v --verbose --color -h --help'
        valued='--ttl --color'
        operands=(list:sessions none...)
        ;;
    'queue list')
        options='--fields --format --ids --filter --sort --json -q --quiet -v --verbose --color -h --help'
        valued='--fields --format --filter --sort --color'
        operands=(list:sessions...)
        ;;
    'queue flush')
        options='--timeout --resend-unknown --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions...)
        ;;
    'queue drop')
        options='--session --all --json -q --quiet -v --verbose --color -h --help'
        valued='--session --color'
        operands=(none...)
        ;;
    'serve')
        options='--listen --origin --tls-cert --tls-key --plain-http --max-clients --vibetunnel --json -q --quiet -v --verbose --color -h --help'
        valued='--listen --origin --tls-cert --tls-key --max-clients --color'
        operands=(list:sessions...)
        ;;
    'share')
        options='--write --once --owner --reusable --expires --list --revoke --fields --format --ids --filter --sort --json -q --quiet -v --verbose --color -h --help'
        valued='--expires --revoke --fields --format --filter --sort --color'
        operands=(list:sessions)
        ;;
    'filter')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=('words:strip strip-bg strip-decline strip-sync...')
        ;;
    'transcribe')
        options='--engine --api --model --language --ca --token-env --token-file --token-command --plain-http --timeout --phrases --raw --check --json -q --quiet -v --verbose --color -h --help'
        valued='--engine --api --model --language --ca --token-env --token-file --token-command --timeout --phrases --check --color'
        omitters='--check'
        operands=(file...)
        ;;
    'record')
        options='-o --output -f --follow --from --to --turn --format --title --idle-limit --theme --input --max-size --append --force --profile --name --keep --size --cwd --env --pass-env --marker-key --script --typing-delay --timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='-o --output --from --to --turn --format --title --idle-limit --theme --max-size --profile --name --size --cwd --env --pass-env --marker-key --script --typing-delay --timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions command)
        ;;
    'play')
        options='-s --speed --instant --idle-limit --from --to --markers --loop --json -q --quiet -v --verbose --color -h --help'
        valued='-s --speed --idle-limit --from --to --color'
        operands=(file)
        ;;
    'cast info')
        options='--timing --idle-limit --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--timing --idle-limit --color'
        operands=(file)
        ;;
    'cast convert')
        options='--format --timing -o --output --force --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--format --timing -o --output --color'
        operands=(file)
        ;;
    'cast cut')
        options='--from --to --turn --remove --format -o --output --force --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--from --to --turn --format -o --output --color'
        operands=(file)
        ;;
    'cast join')
        options='--no-reset --format -o --output --force --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--format -o --output --color'
        operands=(file...)
        ;;
    'cast speed')
        options='--idle-limit --format -o --output --force --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--idle-limit --format -o --output --color'
        operands=(none file)
        ;;
    'cast quantize')
        options='--fps --within --format -o --output --force --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--fps --within --format -o --output --color'
        operands=(file)
        ;;
    'cast screen')
        options='--at --format --theme --scale --join --scrollback --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--at --format --theme --scale --scrollback --color'
        operands=(file)
        ;;
    'cast grep')
        options='-i --ignore-case -c --count -l --files-with-matches --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(none file...)
        ;;
    'cast redact')
        options='--pattern --secrets --replace -o --output --force --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='--pattern --replace -o --output --color'
        operands=(file)
        ;;
    'cast render')
        options='-o --output --force --format --at --from --to --theme --size --speed --idle-limit --fps --no-loop --lenient --json -q --quiet -v --verbose --color -h --help'
        valued='-o --output --format --at --from --to --theme --size --speed --idle-limit --fps --color'
        operands=(file)
        ;;
    'snapshot create')
        options='--name --path --include-ignored --exclude --max-file --max-size --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--name --path --exclude --max-file --max-size --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions)
        ;;
    'snapshot list')
        options='--fields --format --ids --filter --sort --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--fields --format --filter --sort --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions)
        ;;
    'snapshot show')
        options='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none)
        ;;
    'snapshot remove')
        options='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none...)
        ;;
    'rollback')
        options='--dry-run --path --force --yes --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--path --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none)
        ;;
    'diff')
        options='--turn --stat --name-status --exit-code --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--turn --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:sessions none command)
        ;;
    'profile add')
        options='-l --user -p --port -J --jump --proxy-command --tag --note -i --identity --key --no-agent --agent --password-stdin --password-env --password-file --password-command --passphrase-stdin --passphrase-env --passphrase-file --passphrase-command --secret-store --host-key-policy --host-key --known-hosts --allow-algorithm --connect-timeout --keep-alive --keep-alive-count --share --cwd --env --shell --via --link-stdin --vibetunnel --ca --replace --json -q --quiet -v --verbose --color -h --help'
        valued='-l --user -p --port -J --jump --proxy-command --tag --note -i --identity --key --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --secret-store --host-key-policy --host-key --known-hosts --allow-algorithm --connect-timeout --keep-alive --keep-alive-count --share --cwd --env --shell --via --vibetunnel --ca --color'
        operands=(none list:hosts)
        ;;
    'profile list')
        options='--tag --search --fields --format --ids --filter --sort --json -q --quiet -v --verbose --color -h --help'
        valued='--tag --search --fields --format --filter --sort --color'
        ;;
    'profile show')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(list:profiles)
        ;;
    'profile edit')
        options='--host --unset -l --user -p --port -J --jump --proxy-command --tag --note -i --identity --key --no-agent --agent --password-stdin --password-env --password-file --password-command --passphrase-stdin --passphrase-env --passphrase-file --passphrase-command --secret-store --host-key-policy --host-key --known-hosts --allow-algorithm --connect-timeout --keep-alive --keep-alive-count --share --cwd --env --shell --via --link-stdin --vibetunnel --ca --json -q --quiet -v --verbose --color -h --help'
        valued='--host --unset -l --user -p --port -J --jump --proxy-command --tag --note -i --identity --key --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --secret-store --host-key-policy --host-key --known-hosts --allow-algorithm --connect-timeout --keep-alive --keep-alive-count --share --cwd --env --shell --via --vibetunnel --ca --color'
        operands=(list:profiles)
        ;;
    'profile remove')
        options='--keep-secrets --json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(list:profiles...)
        ;;
    'profile rename')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(list:profiles none)
        ;;
    'profile import')
        options='--host --tag --replace --skip-existing --dry-run --json -q --quiet -v --verbose --color -h --help'
        valued='--host --tag --color'
        operands=(file)
        ;;
    'profile test')
        options='--connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:profiles)
        ;;
    'profile connections')
        options='--close --fields --format --ids --filter --sort --json -q --quiet -v --verbose --color -h --help'
        valued='--fields --format --filter --sort --color'
        operands=(list:profiles...)
        ;;
    'key generate')
        options='-t --type -b --bits -C --comment --json -q --quiet -v --verbose --color -h --help'
        valued='-t --type -b --bits -C --comment --color'
        operands=(none)
        ;;
    'key import')
        options='-C --comment --json -q --quiet -v --verbose --color -h --help'
        valued='-C --comment --color'
        operands=(none file)
        ;;
    'key list')
        options='--fields --format --ids --filter --sort --json -q --quiet -v --verbose --color -h --help'
        valued='--fields --format --filter --sort --color'
        ;;
    'key show')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(list:keys)
        ;;
    'key deploy')
        options='--key --no-verify --connect-timeout --tag --all --targets-file --exclude --limit --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--key --connect-timeout --tag --targets-file --exclude --limit --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        omitters='--tag --all --targets-file'
        operands=(list:targets...)
        ;;
    'key remove')
        options='--force --json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(list:keys...)
        ;;
    'host list')
        options='--tag --fields --format --ids --filter --sort --json -q --quiet -v --verbose --color -h --help'
        valued='--tag --fields --format --filter --sort --color'
        omitters='--tag'
        operands=(list:known-hosts...)
        ;;
    'host trust')
        options='--all --replace --tag -J --jump --connect-timeout --json -q --quiet -v --verbose --color -h --help'
        valued='--tag -J --jump --connect-timeout --color'
        omitters='--tag'
        operands=(list:known-hosts none...)
        ;;
    'host forget')
        options='--tag --dry-run --json -q --quiet -v --verbose --color -h --help'
        valued='--tag --color'
        omitters='--tag'
        operands=(list:known-hosts...)
        ;;
    'host scan')
        options='--tag -J --jump --connect-timeout --fields --format --ids --filter --sort --json -q --quiet -v --verbose --color -h --help'
        valued='--tag -J --jump --connect-timeout --fields --format --filter --sort --color'
        omitters='--tag'
        operands=(list:known-hosts...)
        ;;
    'install')
        options='--file --path --force --connect-timeout --no-share --tag --all --targets-file --exclude --limit --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--file --path --connect-timeout --tag --targets-file --exclude --limit --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        omitters='--tag --all --targets-file'
        operands=(list:targets...)
        ;;
    'doctor')
        options='--connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --json -q --quiet -v --verbose --color -h --help'
        valued='--connect-timeout --user --port --identity --known-hosts --option --password-env --password-file --password-command --passphrase-env --passphrase-file --passphrase-command --color'
        operands=(list:profiles)
        ;;
    'shell-init')
        options='--hook --json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(none)
        ;;
    'completion')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=('words:bash zsh fish')
        ;;
    'mcp')
        options='--allow --read-only --session --json -q --quiet -v --verbose --color -h --help'
        valued='--allow --session --color'
        ;;
    'help')
        options='--skill --no-pager --json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        operands=(topic...)
        ;;
    'version')
        options='--json -q --quiet -v --verbose --color -h --help'
        valued='--color'
        ;;
    *) return 1 ;;
    esac
}

# Sets the kind of value that option $2 of command $1 takes.
_vt_value_kind() {
    case "$1 $2" in
    'exec --pass-env') kind='environment' ;;
    'exec --send-env') kind='environment' ;;
    'exec --stdin') kind='file' ;;
    'exec --script') kind='file' ;;
    'exec --retry-failed') kind='file' ;;
    'exec --merge') kind='directory' ;;
    'exec --output-dir') kind='directory' ;;
    'exec --tag') kind='list:tags' ;;
    'exec --targets-file') kind='file' ;;
    'exec --exclude') kind='list:targets' ;;
    'exec -i' | 'exec --identity') kind='file' ;;
    'exec --known-hosts') kind='file' ;;
    'exec --password-env') kind='environment' ;;
    'exec --password-file') kind='file' ;;
    'exec --password-command') kind='command' ;;
    'exec --passphrase-env') kind='environment' ;;
    'exec --passphrase-file') kind='file' ;;
    'exec --passphrase-command') kind='command' ;;
    'exec -e' | 'exec --escape') kind='words:none' ;;
    'copy --identity') kind='file' ;;
    'copy --known-hosts') kind='file' ;;
    'copy --password-env') kind='environment' ;;
    'copy --password-file') kind='file' ;;
    'copy --password-command') kind='command' ;;
    'copy --passphrase-env') kind='environment' ;;
    'copy --passphrase-file') kind='file' ;;
    'copy --passphrase-command') kind='command' ;;
    'copy --tag') kind='list:tags' ;;
    'copy --targets-file') kind='file' ;;
    'copy --exclude') kind='list:targets' ;;
    'ls --identity') kind='file' ;;
    'ls --known-hosts') kind='file' ;;
    'ls --password-env') kind='environment' ;;
    'ls --password-file') kind='file' ;;
    'ls --password-command') kind='command' ;;
    'ls --passphrase-env') kind='environment' ;;
    'ls --passphrase-file') kind='file' ;;
    'ls --passphrase-command') kind='command' ;;
    'ls --fields') kind='list-of:name base64 kind mode size_bytes modified_at' ;;
    'ls --filter') kind='words:name= base64= kind= mode= size_bytes= modified_at=' ;;
    'ls --sort') kind='words:name base64 kind mode size_bytes modified_at' ;;
    'cat --identity') kind='file' ;;
    'cat --known-hosts') kind='file' ;;
    'cat --password-env') kind='environment' ;;
    'cat --password-file') kind='file' ;;
    'cat --password-command') kind='command' ;;
    'cat --passphrase-env') kind='environment' ;;
    'cat --passphrase-file') kind='file' ;;
    'cat --passphrase-command') kind='command' ;;
    'forward --run') kind='command' ;;
    'forward --identity') kind='file' ;;
    'forward --known-hosts') kind='file' ;;
    'forward --password-env') kind='environment' ;;
    'forward --password-file') kind='file' ;;
    'forward --password-command') kind='command' ;;
    'forward --passphrase-env') kind='environment' ;;
    'forward --passphrase-file') kind='file' ;;
    'forward --passphrase-command') kind='command' ;;
    'sessions create --cwd') kind='directory' ;;
    'sessions create --pass-env') kind='environment' ;;
    'sessions create --shell-integration') kind='words:auto off' ;;
    'sessions create --if-exists') kind='words:fail ok replace' ;;
    'sessions create --identity') kind='file' ;;
    'sessions create --known-hosts') kind='file' ;;
    'sessions create --password-env') kind='environment' ;;
    'sessions create --password-file') kind='file' ;;
    'sessions create --password-command') kind='command' ;;
    'sessions create --passphrase-env') kind='environment' ;;
    'sessions create --passphrase-file') kind='file' ;;
    'sessions create --passphrase-command') kind='command' ;;
    'sessions run --cwd') kind='directory' ;;
    'sessions run --pass-env') kind='environment' ;;
    'sessions run --shell-integration') kind='words:auto off' ;;
    'sessions run --if-exists') kind='words:fail ok replace' ;;
    'sessions run --on-interrupt') kind='words:kill detach' ;;
    'sessions run --filter') kind='words:strip strip-bg strip-decline strip-sync' ;;
    'sessions run --identity') kind='file' ;;
    'sessions run --known-hosts') kind='file' ;;
    'sessions run --password-env') kind='environment' ;;
    'sessions run --password-file') kind='file' ;;
    'sessions run --password-command') kind='command' ;;
    'sessions run --passphrase-env') kind='environment' ;;
    'sessions run --passphrase-file') kind='file' ;;
    'sessions run --passphrase-command') kind='command' ;;
    'sessions list --state') kind='words:starting running frozen paused exited lost failed unreadable' ;;
    'sessions list --targets-file') kind='file' ;;
    'sessions list --exclude') kind='list:targets' ;;
    'sessions list --fields') kind='list-of:id name state command cwd pid size size.columns size.rows term tags environment_names created_at started_at ended_at active_at exit exit.code exit.signal exit.core_dumped exit.unknown failure output_bytes first_offset sent_offset log_stopped_at log_max log_input keep_for auto_snapshots clients survives shell shell.kind shell.state shell.command shell.started_at shell.last_exit shell.cwd shell.turn shell.prompt_offset question question.message question.asked_at question.answer reading host vibetunnel version profile is_new error error.code error.message error.hint error.causes error.reason error.exit error.program_exit error.program_exit.code error.program_exit.signal error.program_exit.core_dumped error.program_exit.unknown' ;;
    'sessions list --filter') kind='words:id= name= state= command= cwd= pid= size= size.columns= size.rows= term= tags= environment_names= created_at= started_at= ended_at= active_at= exit= exit.code= exit.signal= exit.core_dumped= exit.unknown= failure= output_bytes= first_offset= sent_offset= log_stopped_at= log_max= log_input= keep_for= auto_snapshots= clients= survives= shell= shell.kind= shell.state= shell.command= shell.started_at= shell.last_exit= shell.cwd= shell.turn= shell.prompt_offset= question= question.message= question.asked_at= question.answer= reading= host= vibetunnel= version= profile= is_new= error= error.code= error.message= error.hint= error.causes= error.reason= error.exit= error.program_exit= error.program_exit.code= error.program_exit.signal= error.program_exit.core_dumped= error.program_exit.unknown=' ;;
    'sessions list --sort') kind='words:id name state command cwd pid size size.columns size.rows term tags environment_names created_at started_at ended_at active_at exit exit.code exit.signal exit.core_dumped exit.unknown failure output_bytes first_offset sent_offset log_stopped_at log_max log_input keep_for auto_snapshots clients survives shell shell.kind shell.state shell.command shell.started_at shell.last_exit shell.cwd shell.turn shell.prompt_offset question question.message question.asked_at question.answer reading host vibetunnel version profile is_new error error.code error.message error.hint error.causes error.reason error.exit error.program_exit error.program_exit.code error.program_exit.signal error.program_exit.core_dumped error.program_exit.unknown' ;;
    'sessions list --identity') kind='file' ;;
    'sessions list --known-hosts') kind='file' ;;
    'sessions list --password-env') kind='environment' ;;
    'sessions list --password-file') kind='file' ;;
    'sessions list --password-command') kind='command' ;;
    'sessions list --passphrase-env') kind='environment' ;;
    'sessions list --passphrase-file') kind='file' ;;
    'sessions list --passphrase-command') kind='command' ;;
    'sessions show --identity') kind='file' ;;
    'sessions show --known-hosts') kind='file' ;;
    'sessions show --password-env') kind='environment' ;;
    'sessions show --password-file') kind='file' ;;
    'sessions show --password-command') kind='command' ;;
    'sessions show --passphrase-env') kind='environment' ;;
    'sessions show --passphrase-file') kind='file' ;;
    'sessions show --passphrase-command') kind='command' ;;
    'sessions logs --cursor-file') kind='file' ;;
    'sessions logs --filter') kind='words:strip strip-bg strip-decline strip-sync' ;;
    'sessions logs --format') kind='words:raw cast' ;;
    'sessions logs --identity') kind='file' ;;
    'sessions logs --known-hosts') kind='file' ;;
    'sessions logs --password-env') kind='environment' ;;
    'sessions logs --password-file') kind='file' ;;
    'sessions logs --password-command') kind='command' ;;
    'sessions logs --passphrase-env') kind='environment' ;;
    'sessions logs --passphrase-file') kind='file' ;;
    'sessions logs --passphrase-command') kind='command' ;;
    'sessions send --file') kind='file' ;;
    'sessions send --key') kind='list:key-names' ;;
    'sessions send --button') kind='words:left middle right wheel-up wheel-down' ;;
    'sessions send --identity') kind='file' ;;
    'sessions send --known-hosts') kind='file' ;;
    'sessions send --password-env') kind='environment' ;;
    'sessions send --password-file') kind='file' ;;
    'sessions send --password-command') kind='command' ;;
    'sessions send --passphrase-env') kind='environment' ;;
    'sessions send --passphrase-file') kind='file' ;;
    'sessions send --passphrase-command') kind='command' ;;
    'sessions exec --assume-shell') kind='words:sh bash zsh' ;;
    'sessions exec --file') kind='file' ;;
    'sessions exec --repl') kind='words:python ipython node psql sqlite3 gdb mysql irb ghci bc' ;;
    'sessions exec --identity') kind='file' ;;
    'sessions exec --known-hosts') kind='file' ;;
    'sessions exec --password-env') kind='environment' ;;
    'sessions exec --password-file') kind='file' ;;
    'sessions exec --password-command') kind='command' ;;
    'sessions exec --passphrase-env') kind='environment' ;;
    'sessions exec --passphrase-file') kind='file' ;;
    'sessions exec --passphrase-command') kind='command' ;;
    'sessions wait --identity') kind='file' ;;
    'sessions wait --known-hosts') kind='file' ;;
    'sessions wait --password-env') kind='environment' ;;
    'sessions wait --password-file') kind='file' ;;
    'sessions wait --password-command') kind='command' ;;
    'sessions wait --passphrase-env') kind='environment' ;;
    'sessions wait --passphrase-file') kind='file' ;;
    'sessions wait --passphrase-command') kind='command' ;;
    'sessions screen --format') kind='words:text ansi json html svg png' ;;
    'sessions screen --theme') kind='words:vscode-dark default-dark default-light solarized-dark solarized-light dracula monokai nord tokyo-night' ;;
    'sessions screen --expect') kind='file' ;;
    'sessions screen --identity') kind='file' ;;
    'sessions screen --known-hosts') kind='file' ;;
    'sessions screen --password-env') kind='environment' ;;
    'sessions screen --password-file') kind='file' ;;
    'sessions screen --password-command') kind='command' ;;
    'sessions screen --passphrase-env') kind='environment' ;;
    'sessions screen --passphrase-file') kind='file' ;;
    'sessions screen --passphrase-command') kind='command' ;;
    'sessions history --fields') kind='list-of:turn command state status origin cwd from to first_offset started_at ended_at duration_ms' ;;
    'sessions history --filter') kind='words:turn= command= state= status= origin= cwd= from= to= first_offset= started_at= ended_at= duration_ms=' ;;
    'sessions history --sort') kind='words:turn command state status origin cwd from to first_offset started_at ended_at duration_ms' ;;
    'sessions history --identity') kind='file' ;;
    'sessions history --known-hosts') kind='file' ;;
    'sessions history --password-env') kind='environment' ;;
    'sessions history --password-file') kind='file' ;;
    'sessions history --password-command') kind='command' ;;
    'sessions history --passphrase-env') kind='environment' ;;
    'sessions history --passphrase-file') kind='file' ;;
    'sessions history --passphrase-command') kind='command' ;;
    'sessions resize --identity') kind='file' ;;
    'sessions resize --known-hosts') kind='file' ;;
    'sessions resize --password-env') kind='environment' ;;
    'sessions resize --password-file') kind='file' ;;
    'sessions resize --password-command') kind='command' ;;
    'sessions resize --passphrase-env') kind='environment' ;;
    'sessions resize --passphrase-file') kind='file' ;;
    'sessions resize --passphrase-command') kind='command' ;;
    'sessions freeze --identity') kind='file' ;;
    'sessions freeze --known-hosts') kind='file' ;;
    'sessions freeze --password-env') kind='environment' ;;
    'sessions freeze --password-file') kind='file' ;;
    'sessions freeze --password-command') kind='command' ;;
    'sessions freeze --passphrase-env') kind='environment' ;;
    'sessions freeze --passphrase-file') kind='file' ;;
    'sessions freeze --passphrase-command') kind='command' ;;
    'sessions pause --identity') kind='file' ;;
    'sessions pause --known-hosts') kind='file' ;;
    'sessions pause --password-env') kind='environment' ;;
    'sessions pause --password-file') kind='file' ;;
    'sessions pause --password-command') kind='command' ;;
    'sessions pause --passphrase-env') kind='environment' ;;
    'sessions pause --passphrase-file') kind='file' ;;
    'sessions pause --passphrase-command') kind='command' ;;
    'sessions resume --identity') kind='file' ;;
    'sessions resume --known-hosts') kind='file' ;;
    'sessions resume --password-env') kind='environment' ;;
    'sessions resume --password-file') kind='file' ;;
    'sessions resume --password-command') kind='command' ;;
    'sessions resume --passphrase-env') kind='environment' ;;
    'sessions resume --passphrase-file') kind='file' ;;
    'sessions resume --passphrase-command') kind='command' ;;
    'sessions reap --action') kind='words:freeze pause kill' ;;
    'sessions reap --targets-file') kind='file' ;;
    'sessions reap --exclude') kind='list:targets' ;;
    'sessions reap --identity') kind='file' ;;
    'sessions reap --known-hosts') kind='file' ;;
    'sessions reap --password-env') kind='environment' ;;
    'sessions reap --password-file') kind='file' ;;
    'sessions reap --password-command') kind='command' ;;
    'sessions reap --passphrase-env') kind='environment' ;;
    'sessions reap --passphrase-file') kind='file' ;;
    'sessions reap --passphrase-command') kind='command' ;;
    'sessions ask --identity') kind='file' ;;
    'sessions ask --known-hosts') kind='file' ;;
    'sessions ask --password-env') kind='environment' ;;
    'sessions ask --password-file') kind='file' ;;
    'sessions ask --password-command') kind='command' ;;
    'sessions ask --passphrase-env') kind='environment' ;;
    'sessions ask --passphrase-file') kind='file' ;;
    'sessions ask --passphrase-command') kind='command' ;;
    'sessions mark --identity') kind='file' ;;
    'sessions mark --known-hosts') kind='file' ;;
    'sessions mark --password-env') kind='environment' ;;
    'sessions mark --password-file') kind='file' ;;
    'sessions mark --password-command') kind='command' ;;
    'sessions mark --passphrase-env') kind='environment' ;;
    'sessions mark --passphrase-file') kind='file' ;;
    'sessions mark --passphrase-command') kind='command' ;;
    'sessions rename --identity') kind='file' ;;
    'sessions rename --known-hosts') kind='file' ;;
    'sessions rename --password-env') kind='environment' ;;
    'sessions rename --password-file') kind='file' ;;
    'sessions rename --password-command') kind='command' ;;
    'sessions rename --passphrase-env') kind='environment' ;;
    'sessions rename --passphrase-file') kind='file' ;;
    'sessions rename --passphrase-command') kind='command' ;;
    'sessions kill --identity') kind='file' ;;
    'sessions kill --known-hosts') kind='file' ;;
    'sessions kill --password-env') kind='environment' ;;
    'sessions kill --password-file') kind='file' ;;
    'sessions kill --password-command') kind='command' ;;
    'sessions kill --passphrase-env') kind='environment' ;;
    'sessions kill --passphrase-file') kind='file' ;;
    'sessions kill --passphrase-command') kind='command' ;;
    'sessions cleanup --state') kind='words:exited lost failed unreadable' ;;
    'sessions cleanup --targets-file') kind='file' ;;
    'sessions cleanup --exclude') kind='list:targets' ;;
    'sessions cleanup --identity') kind='file' ;;
    'sessions cleanup --known-hosts') kind='file' ;;
    'sessions cleanup --password-env') kind='environment' ;;
    'sessions cleanup --password-file') kind='file' ;;
    'sessions cleanup --password-command') kind='command' ;;
    'sessions cleanup --passphrase-env') kind='environment' ;;
    'sessions cleanup --passphrase-file') kind='file' ;;
    'sessions cleanup --passphrase-command') kind='command' ;;
    'attach --cwd') kind='directory' ;;
    'attach --pass-env') kind='environment' ;;
    'attach --identity') kind='file' ;;
    'attach --known-hosts') kind='file' ;;
    'attach --password-env') kind='environment' ;;
    'attach --password-file') kind='file' ;;
    'attach --password-command') kind='command' ;;
    'attach --passphrase-env') kind='environment' ;;
    'attach --passphrase-file') kind='file' ;;
    'attach --passphrase-command') kind='command' ;;
    'queue list --fields') kind='list-of:id session kind state text base64 created_at expires_at session_id failure status output omitted' ;;
    'queue list --filter') kind='words:id= session= kind= state= text= base64= created_at= expires_at= session_id= failure= status= output= omitted=' ;;
    'queue list --sort') kind='words:id session kind state text base64 created_at expires_at session_id failure status output omitted' ;;
    'queue flush --identity') kind='file' ;;
    'queue flush --known-hosts') kind='file' ;;
    'queue flush --password-env') kind='environment' ;;
    'queue flush --password-file') kind='file' ;;
    'queue flush --password-command') kind='command' ;;
    'queue flush --passphrase-env') kind='environment' ;;
    'queue flush --passphrase-file') kind='file' ;;
    'queue flush --passphrase-command') kind='command' ;;
    'queue drop --session') kind='list:sessions' ;;
    'serve --tls-cert') kind='file' ;;
    'serve --tls-key') kind='file' ;;
    'share --fields') kind='list-of:link role session expires_at once reusable used pages url' ;;
    'share --filter') kind='words:link= role= session= expires_at= once= reusable= used= pages= url=' ;;
    'share --sort') kind='words:link role session expires_at once reusable used pages url' ;;
    'transcribe --api') kind='words:vibewave openai' ;;
    'transcribe --ca') kind='file' ;;
    'transcribe --token-env') kind='environment' ;;
    'transcribe --token-file') kind='file' ;;
    'transcribe --token-command') kind='command' ;;
    'transcribe --phrases') kind='file' ;;
    'transcribe --check') kind='file' ;;
    'record -o' | 'record --output') kind='file' ;;
    'record --format') kind='words:v3 v2 raw txt' ;;
    'record --theme') kind='words:vscode-dark default-dark default-light solarized-dark solarized-light dracula monokai nord tokyo-night' ;;
    'record --profile') kind='list:profiles' ;;
    'record --cwd') kind='directory' ;;
    'record --pass-env') kind='environment' ;;
    'record --script') kind='file' ;;
    'record --identity') kind='file' ;;
    'record --known-hosts') kind='file' ;;
    'record --password-env') kind='environment' ;;
    'record --password-file') kind='file' ;;
    'record --password-command') kind='command' ;;
    'record --passphrase-env') kind='environment' ;;
    'record --passphrase-file') kind='file' ;;
    'record --passphrase-command') kind='command' ;;
    'cast info --timing') kind='file' ;;
    'cast convert --format') kind='words:v3 v2 raw txt' ;;
    'cast convert --timing') kind='file' ;;
    'cast convert -o' | 'cast convert --output') kind='file' ;;
    'cast cut --format') kind='words:v3 v2' ;;
    'cast cut -o' | 'cast cut --output') kind='file' ;;
    'cast join --format') kind='words:v3 v2' ;;
    'cast join -o' | 'cast join --output') kind='file' ;;
    'cast speed --format') kind='words:v3 v2' ;;
    'cast speed -o' | 'cast speed --output') kind='file' ;;
    'cast quantize --format') kind='words:v3 v2' ;;
    'cast quantize -o' | 'cast quantize --output') kind='file' ;;
    'cast screen --format') kind='words:text ansi json html svg png' ;;
    'cast screen --theme') kind='words:vscode-dark default-dark default-light solarized-dark solarized-light dracula monokai nord tokyo-night' ;;
    'cast redact -o' | 'cast redact --output') kind='file' ;;
    'cast render -o' | 'cast render --output') kind='file' ;;
    'cast render --format') kind='words:svg gif html' ;;
    'cast render --theme') kind='words:vscode-dark default-dark default-light solarized-dark solarized-light dracula monokai nord tokyo-night' ;;
    'snapshot create --identity') kind='file' ;;
    'snapshot create --known-hosts') kind='file' ;;
    'snapshot create --password-env') kind='environment' ;;
    'snapshot create --password-file') kind='file' ;;
    'snapshot create --password-command') kind='command' ;;
    'snapshot create --passphrase-env') kind='environment' ;;
    'snapshot create --passphrase-file') kind='file' ;;
    'snapshot create --passphrase-command') kind='command' ;;
    'snapshot list --fields') kind='list-of:id number name kind tree session created_at turns include_ignored excludes max_file max_size object head files size_bytes not_saved not_saved_count' ;;
    'snapshot list --filter') kind='words:id= number= name= kind= tree= session= created_at= turns= include_ignored= excludes= max_file= max_size= object= head= files= size_bytes= not_saved= not_saved_count=' ;;
    'snapshot list --sort') kind='words:id number name kind tree session created_at turns include_ignored excludes max_file max_size object head files size_bytes not_saved not_saved_count' ;;
    'snapshot list --identity') kind='file' ;;
    'snapshot list --known-hosts') kind='file' ;;
    'snapshot list --password-env') kind='environment' ;;
    'snapshot list --password-file') kind='file' ;;
    'snapshot list --password-command') kind='command' ;;
    'snapshot list --passphrase-env') kind='environment' ;;
    'snapshot list --passphrase-file') kind='file' ;;
    'snapshot list --passphrase-command') kind='command' ;;
    'snapshot show --identity') kind='file' ;;
    'snapshot show --known-hosts') kind='file' ;;
    'snapshot show --password-env') kind='environment' ;;
    'snapshot show --password-file') kind='file' ;;
    'snapshot show --password-command') kind='command' ;;
    'snapshot show --passphrase-env') kind='environment' ;;
    'snapshot show --passphrase-file') kind='file' ;;
    'snapshot show --passphrase-command') kind='command' ;;
    'snapshot remove --identity') kind='file' ;;
    'snapshot remove --known-hosts') kind='file' ;;
    'snapshot remove --password-env') kind='environment' ;;
    'snapshot remove --password-file') kind='file' ;;
    'snapshot remove --password-command') kind='command' ;;
    'snapshot remove --passphrase-env') kind='environment' ;;
    'snapshot remove --passphrase-file') kind='file' ;;
    'snapshot remove --passphrase-command') kind='command' ;;
    'rollback --identity') kind='file' ;;
    'rollback --known-hosts') kind='file' ;;
    'rollback --password-env') kind='environment' ;;
    'rollback --password-file') kind='file' ;;
    'rollback --password-command') kind='command' ;;
    'rollback --passphrase-env') kind='environment' ;;
    'rollback --passphrase-file') kind='file' ;;
    'rollback --passphrase-command') kind='command' ;;
    'diff --identity') kind='file' ;;
    'diff --known-hosts') kind='file' ;;
    'diff --password-env') kind='environment' ;;
    'diff --password-file') kind='file' ;;
    'diff --password-command') kind='command' ;;
    'diff --passphrase-env') kind='environment' ;;
    'diff --passphrase-file') kind='file' ;;
    'diff --passphrase-command') kind='command' ;;
    'profile add -J' | 'profile add --jump') kind='list:profiles' ;;
    'profile add --proxy-command') kind='command' ;;
    'profile add --tag') kind='list:tags' ;;
    'profile add -i' | 'profile add --identity') kind='file' ;;
    'profile add --key') kind='list:keys' ;;
    'profile add --password-env') kind='environment' ;;
    'profile add --password-file') kind='file' ;;
    'profile add --password-command') kind='command' ;;
    'profile add --passphrase-env') kind='environment' ;;
    'profile add --passphrase-file') kind='file' ;;
    'profile add --passphrase-command') kind='command' ;;
    'profile add --secret-store') kind='words:auto file' ;;
    'profile add --host-key-policy') kind='words:accept-new strict' ;;
    'profile add --known-hosts') kind='file' ;;
    'profile add --allow-algorithm') kind='words:diffie-hellman-group14-sha1 diffie-hellman-group-exchange-sha1 diffie-hellman-group1-sha1 ssh-rsa ssh-dss aes256-cbc rijndael-cbc@lysator.liu.se aes192-cbc aes128-cbc 3des-cbc blowfish-cbc cast128-cbc arcfour128 arcfour hmac-sha1 hmac-sha1-etm@openssh.com hmac-sha1-96 hmac-ripemd160 hmac-ripemd160@openssh.com hmac-md5 hmac-md5-96' ;;
    'profile add --via') kind='command' ;;
    'profile add --ca') kind='file' ;;
    'profile list --tag') kind='list:tags' ;;
    'profile list --fields') kind='list-of:id name host port user identities agent password password.from password.value passphrase passphrase.from passphrase.value secret_store jump proxy_command via link vibetunnel ca host_key_policy known_hosts allowed_algorithms connect_timeout_ms keep_alive_ms keep_alive_count share_ms cwd environment shell tags note created_at last_connected_at' ;;
    'profile list --filter') kind='words:id= name= host= port= user= identities= agent= password= password.from= password.value= passphrase= passphrase.from= passphrase.value= secret_store= jump= proxy_command= via= link= vibetunnel= ca= host_key_policy= known_hosts= allowed_algorithms= connect_timeout_ms= keep_alive_ms= keep_alive_count= share_ms= cwd= environment= shell= tags= note= created_at= last_connected_at=' ;;
    'profile list --sort') kind='words:id name host port user identities agent password password.from password.value passphrase passphrase.from passphrase.value secret_store jump proxy_command via link vibetunnel ca host_key_policy known_hosts allowed_algorithms connect_timeout_ms keep_alive_ms keep_alive_count share_ms cwd environment shell tags note created_at last_connected_at' ;;
    'profile edit --host') kind='list:hosts' ;;
    'profile edit --unset') kind='words:user port jump proxy-command tag note identity agent password passphrase host-key known-hosts allow-algorithm connect-timeout keep-alive keep-alive-count share cwd env shell via vibetunnel ca' ;;
    'profile edit -J' | 'profile edit --jump') kind='list:profiles' ;;
    'profile edit --proxy-command') kind='command' ;;
    'profile edit --tag') kind='list:tags' ;;
    'profile edit -i' | 'profile edit --identity') kind='file' ;;
    'profile edit --key') kind='list:keys' ;;
    'profile edit --password-env') kind='environment' ;;
    'profile edit --password-file') kind='file' ;;
    'profile edit --password-command') kind='command' ;;
    'profile edit --passphrase-env') kind='environment' ;;
    'profile edit --passphrase-file') kind='file' ;;
    'profile edit --passphrase-command') kind='command' ;;
    'profile edit --secret-store') kind='words:auto file' ;;
    'profile edit --host-key-policy') kind='words:accept-new strict' ;;
    'profile edit --known-hosts') kind='file' ;;
    'profile edit --allow-algorithm') kind='words:diffie-hellman-group14-sha1 diffie-hellman-group-exchange-sha1 diffie-hellman-group1-sha1 ssh-rsa ssh-dss aes256-cbc rijndael-cbc@lysator.liu.se aes192-cbc aes128-cbc 3des-cbc blowfish-cbc cast128-cbc arcfour128 arcfour hmac-sha1 hmac-sha1-etm@openssh.com hmac-sha1-96 hmac-ripemd160 hmac-ripemd160@openssh.com hmac-md5 hmac-md5-96' ;;
    'profile edit --via') kind='command' ;;
    'profile edit --ca') kind='file' ;;
    'profile import --tag') kind='list:tags' ;;
    'profile test --identity') kind='file' ;;
    'profile test --known-hosts') kind='file' ;;
    'profile test --password-env') kind='environment' ;;
    'profile test --password-file') kind='file' ;;
    'profile test --password-command') kind='command' ;;
    'profile test --passphrase-env') kind='environment' ;;
    'profile test --passphrase-file') kind='file' ;;
    'profile test --passphrase-command') kind='command' ;;
    'profile connections --fields') kind='list-of:name host port user pid uses is_closing opened_at share_ms idle_ms' ;;
    'profile connections --filter') kind='words:name= host= port= user= pid= uses= is_closing= opened_at= share_ms= idle_ms=' ;;
    'profile connections --sort') kind='words:name host port user pid uses is_closing opened_at share_ms idle_ms' ;;
    'key generate -t' | 'key generate --type') kind='words:ed25519 ecdsa rsa' ;;
    'key list --fields') kind='list-of:name type bits fingerprint comment encrypted path public_path public_key profiles' ;;
    'key list --filter') kind='words:name= type= bits= fingerprint= comment= encrypted= path= public_path= public_key= profiles=' ;;
    'key list --sort') kind='words:name type bits fingerprint comment encrypted path public_path public_key profiles' ;;
    'key deploy --key') kind='list:keys' ;;
    'key deploy --tag') kind='list:tags' ;;
    'key deploy --targets-file') kind='file' ;;
    'key deploy --exclude') kind='list:targets' ;;
    'key deploy --identity') kind='file' ;;
    'key deploy --known-hosts') kind='file' ;;
    'key deploy --password-env') kind='environment' ;;
    'key deploy --password-file') kind='file' ;;
    'key deploy --password-command') kind='command' ;;
    'key deploy --passphrase-env') kind='environment' ;;
    'key deploy --passphrase-file') kind='file' ;;
    'key deploy --passphrase-command') kind='command' ;;
    'host list --tag') kind='list:tags' ;;
    'host list --fields') kind='list-of:names marker key_type fingerprint file line own' ;;
    'host list --filter') kind='words:names= marker= key_type= fingerprint= file= line= own=' ;;
    'host list --sort') kind='words:names marker key_type fingerprint file line own' ;;
    'host trust --tag') kind='list:tags' ;;
    'host trust -J' | 'host trust --jump') kind='list:profiles' ;;
    'host forget --tag') kind='list:tags' ;;
    'host scan --tag') kind='list:tags' ;;
    'host scan -J' | 'host scan --jump') kind='list:profiles' ;;
    'host scan --fields') kind='list-of:profile host port key_type fingerprint key status' ;;
    'host scan --filter') kind='words:profile= host= port= key_type= fingerprint= key= status=' ;;
    'host scan --sort') kind='words:profile host port key_type fingerprint key status' ;;
    'install --file') kind='file' ;;
    'install --tag') kind='list:tags' ;;
    'install --targets-file') kind='file' ;;
    'install --exclude') kind='list:targets' ;;
    'install --identity') kind='file' ;;
    'install --known-hosts') kind='file' ;;
    'install --password-env') kind='environment' ;;
    'install --password-file') kind='file' ;;
    'install --password-command') kind='command' ;;
    'install --passphrase-env') kind='environment' ;;
    'install --passphrase-file') kind='file' ;;
    'install --passphrase-command') kind='command' ;;
    'doctor --identity') kind='file' ;;
    'doctor --known-hosts') kind='file' ;;
    'doctor --password-env') kind='environment' ;;
    'doctor --password-file') kind='file' ;;
    'doctor --password-command') kind='command' ;;
    'doctor --passphrase-env') kind='environment' ;;
    'doctor --passphrase-file') kind='file' ;;
    'doctor --passphrase-command') kind='command' ;;
    'mcp --allow') kind='list:profiles' ;;
    'mcp --session') kind='list:sessions' ;;
    *' --color') kind='words:auto always never' ;;
    *) kind=none ;;
    esac
}

# Sets the candidates of kind $1 that start with $2.
_vt_candidates() {
    case $1 in
    words:*)
        mapfile -t candidates < <(compgen -W "${1#words:}" -- "$2")
        [[ ${candidates[*]} == *= ]] && compopt -o nospace 2>/dev/null
        ;;
    list-of:*)
        compopt -o nospace 2>/dev/null
        mapfile -t candidates < <(compgen -P "${2%"${2##*,}"}" -W "${1#list-of:}" -- "${2##*,}")
        ;;
    list:*)
        mapfile -t candidates < <(vt complete "${1#list:}" -- "$2" 2>/dev/null)
        [[ $1 == list:files && ${candidates[*]} == *[:/] ]] && compopt -o nospace 2>/dev/null
        ;;
    file)
        compopt -o filenames 2>/dev/null
        mapfile -t candidates < <(compgen -f -- "$2")
        ;;
    directory)
        compopt -o filenames 2>/dev/null
        mapfile -t candidates < <(compgen -d -- "$2")
        ;;
    command) mapfile -t candidates < <(compgen -c -- "$2" | sort -u) ;;
    environment) mapfile -t candidates < <(compgen -e -- "$2") ;;
    esac
}

# Sets the kind of the next operand.
_vt_operand_kind() {
    local last=$((${#operands[@]} - 1))
    if ((last >= 0 && taken > last)); then
        case ${operands[last]} in
        command) kind=file ;;
        *...) kind=${operands[last]%...} ;;
        esac
    else
        kind=${operands[taken]%...}
    fi
    if [[ $kind == topic ]]; then
        _vt_describe "$topic" && kind="words:$verbs$([[ -z $topic ]] && printf ' %s' "$_vt_topics")"
    fi
}

# Sets 'quoted' to $1 with a backslash before each character special to the shell.
_vt_quote() {
    local index character
    quoted=''
    for ((index = 0; index < ${#1}; index++)); do
        character=${1:index:1}
        [[ $character == [[:alnum:]@%+=:,./_~-] ]] || quoted+=\\
        quoted+=$character
    done
}

_vt() {
    local words=() candidates=() index piece rest=$COMP_LINE stripped
    for ((index = 0; index <= COMP_CWORD; index++)); do
        piece=${COMP_WORDS[index]}
        stripped=${rest#"${rest%%[![:space:]]*}"}
        if ((index == 0)) || [[ $stripped != "$rest" ]]; then
            words+=("$piece")
        else
            words[${#words[@]} - 1]+=$piece
        fi
        rest=${stripped#"$piece"}
    done

    local last=$((${#words[@]} - 1)) path='' option='' ended='' taken=0 topic='' kind=none prefix='' word
    local verbs options valued omitters operands
    _vt_describe ''
    for ((index = 1; index < last; index++)); do
        word=${words[index]}
        if [[ -z $ended && $word == -- ]]; then
            ended=1
        elif [[ -z $ended && $word == -?* ]]; then
            if [[ " $omitters " == *" ${word%%=*} "* ]]; then
                operands=("${operands[@]:1}") omitters=''
            fi
            if [[ " $valued " == *" $word "* ]] && ((++index == last)); then
                option=$word
            fi
        elif [[ -n $verbs ]]; then
            path+=${path:+ }$word
            _vt_describe "$path" || return 0
        else
            if [[ ${operands[taken]} == command ]]; then
                ended=1
            fi
            topic+=${topic:+ }$word
            ((taken += 1))
        fi
    done

    local cur=${words[last]}
    if [[ -n $option ]]; then
        _vt_value_kind "$path" "$option"
    elif [[ -z $ended && $cur == --*=* ]]; then
        prefix=${cur%%=*}=
        _vt_value_kind "$path" "${cur%%=*}"
    elif [[ -z $ended && $cur == -* ]]; then
        kind=words:$options
    elif [[ -n $verbs ]]; then
        kind=words:$verbs
        [[ -n $path ]] || kind+=" $(vt complete plugins -- "$cur" 2>/dev/null)"
    else
        _vt_operand_kind
    fi
    if [[ $kind == any ]]; then
        kind=file
        if [[ $cur == *:* && ${cur%%:*} != */* || -z $(compgen -f -- "$cur") ]]; then
            kind=list:files
        fi
    fi
    local head=${cur%"$piece"} candidate quote='' quoted
    if [[ -n $piece && -z ${piece//[=:]/} ]]; then
        head=$cur
    fi
    if [[ $kind == list:* ]]; then
        if [[ $cur == [\'\"]* ]]; then
            quote=${cur:0:1} cur=${cur:1} head=${head#[\'\"]}
        else
            cur=${cur//\\/} head=${head//\\/}
        fi
    fi
    _vt_candidates "$kind" "${cur#"$prefix"}"

    COMPREPLY=()
    for candidate in "${candidates[@]}"; do
        candidate=$prefix$candidate
        quoted=${candidate#"$head"}
        [[ $kind == list:* && -z $quote ]] && _vt_quote "$quoted"
        COMPREPLY+=("$quoted")
    done
}

complete -F _vt vt
